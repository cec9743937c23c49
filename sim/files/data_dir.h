/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the command's own data is: recordings, workloads, views. It is found from where the executable stands, whatever the working
 * directory: installed as PREFIX/bin/ballast in PREFIX/share/ballast, else in the source tree that it was built in. Both are laid out
 * alike.
 */
#ifndef BALLAST_DATA_DIR_H
#define BALLAST_DATA_DIR_H

/* "/usr/local/share/ballast"; "." in the source tree, and where there is none. */
const char *data_dir(void);
/* A file or folder of it, e.g. "sim/kernels"; in the source tree the name itself. Lives as long as the program. */
const char *data_path(const char *name);

#endif
