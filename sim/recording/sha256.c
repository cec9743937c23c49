/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64 };

/* The fractional parts of the cube roots of the first 64 primes, and of the square roots of the first 8. */
static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const uint32_t beginning[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void schedule(uint32_t w[64], const uint8_t block[BLOCK])
{
    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (unsigned i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];

        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
}

static void add_block(uint32_t hash[8], const uint8_t block[BLOCK])
{
    uint32_t w[64], s[8];

    schedule(w, block);
    memcpy(s, hash, sizeof s);
    for (unsigned i = 0; i < 64; i++) {
        const uint32_t e = s[4], a = s[0];
        const uint32_t t1 = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + rounds[i] + w[i];
        const uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));

        memmove(s + 1, s, 7 * sizeof s[0]);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (unsigned i = 0; i < 8; i++)
        hash[i] += s[i];
}

/* The rest, a one, zeros, and the length in bits. */
static void add_end(uint32_t hash[8], const uint8_t *rest, size_t n, uint64_t bytes)
{
    uint8_t last[2 * BLOCK] = {0};
    const size_t size = n + 9 > BLOCK ? 2 * BLOCK : BLOCK;

    memcpy(last, rest, n);
    last[n] = 0x80;
    for (unsigned i = 0; i < 8; i++)
        last[size - 1 - i] = (uint8_t)(bytes * 8 >> 8 * i);
    add_block(hash, last);
    if (size > BLOCK)
        add_block(hash, last + BLOCK);
}

bool sha256_file(const char *path, char text[SHA256_TEXT])
{
    FILE *f = fopen(path, "rb");
    uint8_t block[BLOCK];
    uint32_t hash[8];
    uint64_t bytes = 0;
    size_t n = 0;
    bool ok;

    memcpy(hash, beginning, sizeof hash);
    while (f && (n = fread(block, 1, BLOCK, f)) == BLOCK) {
        add_block(hash, block);
        bytes += BLOCK;
    }
    ok = f && !ferror(f);
    add_end(hash, block, ok ? n : 0, bytes + n);
    for (size_t i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08x", hash[i]);
    if (f)
        fclose(f);
    return ok;
}
