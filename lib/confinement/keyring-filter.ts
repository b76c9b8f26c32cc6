import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The numbers that Linux has for an architecture, and for its system calls add_key, request_key and keyctl. */
const NUMBERS: Partial<Record<NodeJS.Architecture, { architecture: number; calls: readonly number[] }>> = {
  x64: { architecture: 0xc000003e, calls: [248, 249, 250] },
  arm64: { architecture: 0xc00000b7, calls: [217, 218, 219] },
};

/** An instruction of the kernel's filter machine, from `linux/bpf_common.h`: loads the value at an offset in `seccomp_data`. */
const LOAD = 0x20;
/** The instruction that jumps depending on whether the loaded value equals another, also from `linux/bpf_common.h`. */
const JUMP_IF_EQUAL = 0x15;
/** The instruction that jumps depending on whether the loaded value is at least another, also from `linux/bpf_common.h`. */
const JUMP_IF_AT_LEAST = 0x35;
/** The instruction that ends the filter with a result, also from `linux/bpf_common.h`. */
const RETURN = 0x06;
/** The offset of the system call's number in `seccomp_data`. */
const CALL_OFFSET = 0;
/** The offset of the architecture's number in `seccomp_data`. */
const ARCHITECTURE_OFFSET = 4;
/** The result of the filter that lets a system call through. */
const ALLOW = 0x7fff0000;
/** The result of the filter that makes a system call fail with EPERM. */
const FAIL_WITH_EPERM = 0x00050001;

/** The first number of the system calls of x64's variant with short pointers (x32), all of which are refused. */
const OTHER_CALLS = 0x40000000;

/**
 * Writes a filter for bubblewrap, the sandbox of Linux, to a file in `directory`, and returns its path. The filter refuses the
 * system calls for keyrings, in which the kernel keeps keys of the logged-in user that programs would inherit. Returns
 * undefined, and writes nothing, on systems for which the filter is not known.
 */
export function writeKeyringFilter(directory: string): string | undefined {
  const numbers = NUMBERS[process.arch];
  if (process.platform !== 'linux' || numbers === undefined) return undefined;
  const { architecture, calls } = numbers;
  const refused = calls.length + 1;
  const path = join(directory, 'keyring-filter');
  writeFileSync(
    path,
    Buffer.concat([
      instruction(LOAD, ARCHITECTURE_OFFSET),
      instruction(JUMP_IF_EQUAL, architecture, 0, refused + 2),
      instruction(LOAD, CALL_OFFSET),
      instruction(JUMP_IF_AT_LEAST, OTHER_CALLS, refused),
      ...calls.map((call, index) => instruction(JUMP_IF_EQUAL, call, refused - 1 - index)),
      instruction(RETURN, ALLOW),
      instruction(RETURN, FAIL_WITH_EPERM),
    ]),
  );
  return path;
}

/**
 * Encodes an instruction of the filter (`sock_filter`). `then` and `otherwise`: the number of instructions that a jump skips if
 * its condition is true, and if not.
 */
function instruction(code: number, value: number, then = 0, otherwise = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(then, 2);
  bytes.writeUInt8(otherwise, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
