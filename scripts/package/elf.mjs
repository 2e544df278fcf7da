// Whether programs are those of the machine that a package is for.
import { closeSync, globSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The numbers of e_ident and e_machine in the header of a file (elf(5)). */
const MAGIC = '7f454c46';
const MACHINE_AT = 18;

/** Files of a folder that are programs or libraries, with the number of their machine. */
export function elfFiles(folder) {
  return globSync('**/*', { cwd: folder })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => ({ name, machine: machineOf(join(folder, name)) }))
    .filter(({ machine }) => machine !== undefined);
}

function machineOf(file) {
  const header = Buffer.alloc(MACHINE_AT + 2);
  const opened = openSync(file, 'r');
  try {
    if (readSync(opened, header) < header.length || header.toString('hex', 0, 4) !== MAGIC) return undefined;
    return header.readUInt16LE(MACHINE_AT);
  } finally {
    closeSync(opened);
  }
}
