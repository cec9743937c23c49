/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast_vpi: the functions of <ballast/reference.h> as system functions and tasks of their names, for a simulator without DPI:
 *
 *   iverilog-vpi $(pkg-config --cflags ballast_reference) ballast_vpi.c $(pkg-config --libs ballast_reference)
 *   vvp -M. -mballast_vpi program
 *
 * $ballast_reference_why(handle, text) fills the vector `text`. The others are as in C; arguments are numbers and strings.
 */
#include "dpi/reference.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <iverilog/vpi_user.h>

enum { ARGUMENTS = 4, LINE = 512 };

/* What a call has, in order. */
typedef struct arguments {
    vpiHandle call, handle[ARGUMENTS];
    int num;
} arguments;

static arguments take(void)
{
    arguments a = {.call = vpi_handle(vpiSysTfCall, NULL), .num = 0};
    vpiHandle all = vpi_iterate(vpiArgument, a.call);

    for (vpiHandle one; all && (one = vpi_scan(all));)
        if (a.num < ARGUMENTS)
            a.handle[a.num++] = one;
    return a;
}

static int number(const arguments *a, int n)
{
    s_vpi_value value = {.format = vpiIntVal};

    vpi_get_value(a->handle[n], &value);
    return value.value.integer;
}

/* A copy, because the next argument's takes the simulator's place for it. NULL without memory. */
static char *text(const arguments *a, int n)
{
    s_vpi_value value = {.format = vpiStringVal};
    size_t size;
    char *copy;

    vpi_get_value(a->handle[n], &value);
    size = strlen(value.value.str) + 1;
    copy = malloc(size);
    return copy ? memcpy(copy, value.value.str, size) : NULL;
}

/* Of up to 64 bits. */
static uint64_t bits(const arguments *a, int n)
{
    s_vpi_value value = {.format = vpiVectorVal};
    uint64_t low, high;

    vpi_get_value(a->handle[n], &value);
    low = (uint32_t)(value.value.vector[0].aval & ~value.value.vector[0].bval);
    high = vpi_get(vpiSize, a->handle[n]) > 32 ? (uint32_t)(value.value.vector[1].aval & ~value.value.vector[1].bval) : 0;
    return low | high << 32;
}

static void give(const arguments *a, int result)
{
    s_vpi_value value = {.format = vpiIntVal, .value.integer = result};

    vpi_put_value(a->call, &value, NULL, vpiNoDelay);
}

/* ---- the functions ------------------------------------------------------------------ */

static void call_open(const arguments *a)
{
    char *block = text(a, 0), *parameters = text(a, 1);

    give(a, block && parameters ? ballast_reference_open(block, parameters) : 0);
    free(block);
    free(parameters);
}

static void call_close(const arguments *a)
{
    ballast_reference_close(number(a, 0));
}

static void call_connect(const arguments *a)
{
    char *pin = text(a, 1);

    give(a, pin ? ballast_reference_connect(number(a, 0), pin, number(a, 2)) : -1);
    free(pin);
}

static void call_elements(const arguments *a)
{
    char *pin = text(a, 1);

    give(a, pin ? ballast_reference_elements(number(a, 0), pin) : 0);
    free(pin);
}

static void call_put(const arguments *a)
{
    ballast_reference_put(number(a, 0), number(a, 1), bits(a, 2), bits(a, 3));
}

static void call_cycle(const arguments *a)
{
    give(a, ballast_reference_cycle(number(a, 0), number(a, 1)));
}

static void call_step(const arguments *a)
{
    give(a, ballast_reference_step(number(a, 0), number(a, 1)));
}

static void call_get(const arguments *a)
{
    const uint64_t word = ballast_reference_get(number(a, 0), number(a, 1));
    s_vpi_vecval vector[2] = {{(PLI_INT32)(uint32_t)word, 0}, {(PLI_INT32)(uint32_t)(word >> 32), 0}};
    s_vpi_value value = {.format = vpiVectorVal, .value.vector = vector};

    vpi_put_value(a->handle[2], &value, NULL, vpiNoDelay);
}

static void call_why(const arguments *a)
{
    char line[LINE];
    s_vpi_value value = {.format = vpiStringVal, .value.str = line};

    strncpy(line, ballast_reference_why(number(a, 0)), LINE - 1);
    line[LINE - 1] = '\0';
    vpi_put_value(a->handle[1], &value, NULL, vpiNoDelay);
}

typedef struct function {
    const char *name;
    void (*call)(const arguments *a);
    int num;     /* arguments */
    bool result; /* an int */
} function;

static const function functions[] = {
    {"$ballast_reference_open", call_open, 2, true},         {"$ballast_reference_close", call_close, 1, false},
    {"$ballast_reference_connect", call_connect, 3, true},   {"$ballast_reference_elements", call_elements, 2, true},
    {"$ballast_reference_put", call_put, 4, false},          {"$ballast_reference_cycle", call_cycle, 2, true},
    {"$ballast_reference_step", call_step, 2, true},         {"$ballast_reference_get", call_get, 3, false},
    {"$ballast_reference_why", call_why, 2, false},
};

static PLI_INT32 call(PLI_BYTE8 *data)
{
    const arguments a = take();

    ((const function *)(const void *)data)->call(&a);
    return 0;
}

/* When the design is read. */
static PLI_INT32 check(PLI_BYTE8 *data)
{
    const function *f = (const function *)(const void *)data;

    if (take().num == f->num)
        return 0;
    vpi_printf("%s: has %d arguments\n", f->name, f->num);
    vpi_control(vpiFinish, 1);
    return 0;
}

static void add_functions(void)
{
    for (unsigned n = 0; n < sizeof functions / sizeof functions[0]; n++) {
        s_vpi_systf_data data = {.type = functions[n].result ? vpiSysFunc : vpiSysTask, .sysfunctype = functions[n].result ? vpiIntFunc : 0,
                                 .calltf = call, .compiletf = check, .user_data = (PLI_BYTE8 *)&functions[n]};

        data.tfname = (PLI_BYTE8 *)functions[n].name;
        vpi_register_systf(&data);
    }
}

void (*vlog_startup_routines[])(void) = {add_functions, NULL};
