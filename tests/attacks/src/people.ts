import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const program = programFile('ringdown', 'people');

/** `npm run people` for the system with this data folder. */
export async function runPeople(data: string, ...command: readonly string[]): Promise<void> {
  await run(process.execPath, [program, ...command], { env: { ...programEnvironment(), DATA_DIR: data } });
}

/** As people.json names them. */
export interface Person {
  readonly username: string;
  readonly name: string;
  readonly sipAddress: string;
  readonly roles: readonly string[];
  readonly contacts?: readonly string[];
  readonly passwordHash?: string | undefined;
}

/** Writes the people file of a system that has not started yet; the first start copies it to the bus. */
export function editPeople(data: string, edit: (people: readonly Person[]) => readonly Person[]): void {
  const file = join(data, 'people.json');
  const { people }: { people: readonly Person[] } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ people: edit(people) }));
}
