import { readPasswordRules } from '@ringdown/directory/passwords';
import { UsageError } from '@ringdown/settings';
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { importPeople } from './import-people.js';
import type { Invocation, Prepared } from './invocation.js';
import { exportedLines, FORMATS, type Format } from './people-formats.js';

/** Some lines were rejected, and the others stored; all were reported already. */
export class LinesRejected extends Error {
  override readonly name = 'LinesRejected';
}

const SHOWN_LINES = 1_000;
/** As a file name: a file outside of a container reaches the command only through its standard input. */
const STANDARD_INPUT = '-';

export async function importFile({ username: file, options, settings, io }: Invocation): Promise<Prepared> {
  const format = formatNamed(options.format ?? (/\.csv$/i.test(file) ? 'csv' : 'json'));
  if (file !== STANDARD_INPUT) await access(file);
  const rules = await readPasswordRules(settings);
  return async (people) => {
    const input = file === STANDARD_INPUT ? createReadStream('', { fd: 0 }) : createReadStream(file);
    const { stored, rejected } = await importPeople(people, input, {
      format,
      update: options.update === true,
      allOrNothing: options['all-or-nothing'] === true,
      force: options.force === true,
      rules,
      sipDomains: settings.sipDomains,
      onProgress: (hashed, all) => io.err(`hashed ${hashed} of ${all} passwords\n`),
    });
    for (const { line, reason } of rejected.slice(0, SHOWN_LINES)) io.err(`line ${line}: ${reason}\n`);
    if (rejected.length > SHOWN_LINES) io.err(`and ${rejected.length - SHOWN_LINES} more lines\n`);
    io.out(`${stored} people stored, ${rejected.length} lines rejected\n`);
    if (rejected.length > 0 && stored === 0) throw new Error('nothing was stored');
    if (rejected.length > 0) throw new LinesRejected();
  };
}

export function exportPeople({ options, io }: Invocation): Prepared {
  const format = formatNamed(options.format ?? 'json');
  return async (people) => {
    const all = await people.list();
    const shown = options['with-hashes'] ? all : all.map(({ passwordHash: _hash, ...person }) => person);
    for (const line of exportedLines(format, shown)) io.out(line);
  };
}

function formatNamed(name: string): Format {
  const format = FORMATS.find((candidate) => candidate === name);
  if (format === undefined) throw new UsageError(`--format is one of ${FORMATS.join(', ')}, not "${name}"`);
  return format;
}
