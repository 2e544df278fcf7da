import { runMigrateCommand } from '../migrate/command.js';
import type { CommandIo } from '../run-command.js';
import { runBackupCommand, runRestoreCommand } from './command.js';

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function commandOutcome(
  run: (argv: readonly string[], io: CommandIo) => Promise<number>,
  ...argv: readonly string[]
): Promise<Outcome> {
  let [out, err] = ['', ''];
  const io = { env: {}, out: (text: string) => (out += text), err: (text: string) => (err += text) };
  return { code: await run(argv, io), out, err };
}

describe.each([
  ['backup', runBackupCommand],
  ['restore', runRestoreCommand],
  ['migrate', runMigrateCommand],
])('npm run %s', (name, run) => {
  it('prints how it is used, without a system', async () => {
    expect(await commandOutcome(run, '--help')).toEqual({
      code: 0,
      out: expect.stringMatching(new RegExp(`^Usage: npm run ${name} `)),
      err: '',
    });
  });

  it('rejects an option that it does not have, with its usage', async () => {
    expect(await commandOutcome(run, '--bogus')).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(new RegExp(`^${name}: .*--bogus[^]*Usage: npm run ${name} `)),
    });
  });
});
