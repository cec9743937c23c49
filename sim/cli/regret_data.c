/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/regret_data.h"

#include <inttypes.h>

#include "cli/run_data.h"
#include "recording/csv.h"

static FILE *open_file(char *path, const char *dir, const char *kernel, const char *what)
{
    char name[256];

    snprintf(name, sizeof name, "%s.%s", kernel, what);
    return run_data_open(path, dir, name);
}

static void put_curve(FILE *f, const char *kernel, const char *policy, const regret *r)
{
    for (unsigned i = 0; i < r->num; i++) {
        csv_put(f, kernel);
        putc(',', f);
        csv_put(f, policy);
        fprintf(f, ",%" PRIu64 ",%" PRId64 "\n", r->point[i].cycle, r->point[i].cycles);
    }
}

bool regret_data_curves(const char *dir, const char *kernel, const policy_outcome *policies, const char *const *names, unsigned num)
{
    char path[RUN_DATA_PATH];
    FILE *f = open_file(path, dir, kernel, "regret.csv");

    if (!f)
        return false;
    fputs("kernel,policy,cycle,regret\n", f);
    for (unsigned p = 0; p < num; p++)
        put_curve(f, kernel, names[p], &policies[p].regret);
    return run_data_close(f, path);
}

bool regret_data_kernel(const char *dir, const policies_kernel *kernel)
{
    const replay_oracle *o = &kernel->schedule;
    char path[RUN_DATA_PATH];
    FILE *f = open_file(path, dir, kernel->name, "oracle.dat");

    if (!f)
        return false;
    for (unsigned k = 0; k <= PACE_SEGMENTS; k++)
        fprintf(f, "%" PRIu64 " %u\n", o->dynamic[k], o->limit[k < PACE_SEGMENTS ? k + 1 : k]);
    return run_data_close(f, path) && regret_data_curves(dir, kernel->name, kernel->policy, policies_names, BALLAST_POLICIES);
}

static void put_row(FILE *f, const char *kernel, const char *policy, double percent, double cost)
{
    csv_put(f, kernel);
    fprintf(f, ",%s,%.1f,%.1f\n", policy, percent, cost);
}

void regret_data_rows(FILE *f, const policies_kernel *kernel)
{
    if (!kernel->schedule.instructions)
        return;
    put_row(f, kernel->name, "oracle", 0, replay_oracle_cost(&kernel->schedule, kernel->sweep.optimum));
    for (unsigned p = 0; p < BALLAST_POLICIES; p++)
        if (kernel->policy[p].regret.segments)
            put_row(f, kernel->name, policies_names[p], kernel->policy[p].regret.percent, kernel->policy[p].regret.cost);
}
