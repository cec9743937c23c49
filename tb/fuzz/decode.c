/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/decode.h"

enum { CODE_LONG = 44, CODE_SHORT = 60, CODE_LOOP = 62, CODE_RESET = 63 };

/* 0 behind the end: an input cut off in the middle of a record still means something. */
static uint8_t byte(fuzz_bytes *bytes)
{
    return bytes->at < bytes->n ? bytes->p[bytes->at++] : 0;
}

static uint32_t cycles_of(unsigned code)
{
    if (code < CODE_LONG)
        return code + 1;
    if (code >= CODE_SHORT)
        return code - CODE_SHORT + 1;
    return (uint32_t)(2 + (code & 1)) << ((code - CODE_LONG) / 2 + 4);
}

static void decode_change(fuzz_bytes *bytes, const fuzz_fields *fields, fuzz_change *change)
{
    const uint8_t which = byte(bytes), how = byte(bytes);

    *change = (fuzz_change){.field = (which & 0x7fu) % fields->num,
                            .pulse = which >> 7,
                            .how = (enum fuzz_how)(how & 7),
                            .amount = how >> 3};
    if (change->how != FUZZ_VALUE)
        return;
    for (unsigned i = 0; i < (fields->field[change->field].port.width + 7) / 8; i++)
        change->value |= (uint64_t)byte(bytes) << 8 * i;
}

static void repeat(fuzz_bytes *bytes, size_t head)
{
    const size_t back = byte(bytes);
    const unsigned count = byte(bytes) % 32;

    if (bytes->loop_at != head) {
        bytes->loop_at = head;
        bytes->loop_left = count;
    }
    if (bytes->loop_left > 0) {
        bytes->loop_left--;
        bytes->at = back < head ? head - back : 0;
    } else {
        bytes->loop_at = 0;
    }
}

bool fuzz_decode(fuzz_bytes *bytes, const fuzz_fields *fields, fuzz_record *record)
{
    const size_t at = bytes->at;

    *record = (fuzz_record){.reset = false};
    if (at >= bytes->n)
        return false;
    const uint8_t head = byte(bytes);
    const unsigned code = head >> 2;
    if (code == CODE_LOOP) {
        repeat(bytes, at);
        return true;
    }
    record->reset = code == CODE_RESET;
    record->cycles = record->reset ? 0 : cycles_of(code);
    record->num_changes = head & 3;
    for (unsigned c = 0; c < record->num_changes; c++)
        decode_change(bytes, fields, &record->change[c]);
    return true;
}

uint64_t fuzz_changed(const fuzz_change *change, const fuzz_field *field, uint64_t value)
{
    const unsigned width = field->port.width, h = change->amount;
    const unsigned scaled = width <= 32 ? h % (width + 1) : h * width / 31;

    switch (change->how) {
    case FUZZ_VALUE: value = change->value; break;
    case FUZZ_FLIP: value ^= UINT64_C(1) << (scaled < width ? scaled : width - 1); break;
    case FUZZ_ZERO: value = 0; break;
    case FUZZ_ONES: return field->most;
    case FUZZ_ADD: value += 1 + h; break;
    case FUZZ_LOW_ONES: value = scaled < 64 ? (UINT64_C(1) << scaled) - 1 : UINT64_MAX; break;
    case FUZZ_SMALL: value = h; break;
    case FUZZ_NOISE: break;
    }
    return fuzz_field_legal(field, value);
}
