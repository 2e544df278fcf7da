import { errorReason } from '@ringdown/errors';
import { ownVersion } from '@ringdown/service/announce';
import { SettingsError } from '@ringdown/settings';
import { resolve } from 'node:path';
import { takeRightsOfOwner } from '../owner-rights.js';
import { refuseForeignData } from '../upgrade/refuse-data.js';
import { ownRelease } from '../upgrade/release.js';
import { serviceManagerDoes, startInBackground, type ServiceVerb } from './background.js';
import { helpText } from './help.js';
import { readInstallation, type Installation } from './installation.js';
import { loadSettingsFile } from './settings-file.js';
import { COMMANDS, type Command } from './table.js';

/** `ringdown COMMAND`. Programs read the environment when they are imported, so that all of it is set before. Resolves to the exit code. */
export async function runCommandLine([name = '--help', ...args]: readonly string[]): Promise<number | undefined> {
  const { env } = process;
  env['RINGDOWN_COMMAND'] = 'ringdown';
  try {
    const installation = readInstallation(env);
    if (['--help', '-h', 'help'].includes(name)) return print(helpText(installation));
    const command = COMMANDS.find((each) => each.name === name.replace(/^--version$/, 'version'));
    if (command === undefined) {
      process.stderr.write(`ringdown: unknown command "${name}"\n\n${helpText(installation)}`);
      return 2;
    }
    env['RINGDOWN_ENV_FILE'] ??= installation.envFile;
    loadSettingsFile(env['RINGDOWN_ENV_FILE'], env);
    env['DATA_DIR'] ??= installation.dataDir;
    env['RINGDOWN_BACKUPS'] ??= installation.backups;
    // It is asked by root: the owner of the data may not.
    const code = isOfServices(command.runs) ? serviceManagerDoes(command.runs, installation) : undefined;
    if (code !== undefined) return code;
    if (command.rights === 'owner') takeRightsOfOwner(resolve(env['DATA_DIR']));
    if (command.runs instanceof URL) {
      // The program sees its own arguments, and says itself how it ends.
      process.argv.splice(2, process.argv.length, ...args);
      await import(command.runs.href);
      return process.exitCode === undefined ? undefined : Number(process.exitCode);
    }
    // The file may name another folder.
    const installed = { ...installation, backups: resolve(env['RINGDOWN_BACKUPS']) };
    return await OWN[command.runs](installed, resolve(env['DATA_DIR']));
  } catch (error) {
    process.stderr.write(`ringdown: ${errorReason(error)}\n`);
    return error instanceof SettingsError ? 2 : 1;
  }
}

type OwnCommand = (installation: Installation, dataDir: string) => Promise<number> | number;

const OWN: Readonly<Record<ServiceVerb | 'version', OwnCommand>> = {
  start: (installation, dataDir) => start(installation, dataDir),
  stop: (_installation, dataDir) => stop(dataDir),
  restart: async (installation, dataDir) => (await stop(dataDir)) || (await start(installation, dataDir)),
  version: ({ root, envFile, backups }, dataDir) =>
    print(
      `Ringdown ${ownVersion()}\n  Program                 ${root}\n  Settings                ${envFile}\n  Data                    ${dataDir}\n  Backups                 ${backups}\n`,
    ),
};

function isOfServices(runs: Command['runs']): runs is ServiceVerb {
  return runs === 'start' || runs === 'stop' || runs === 'restart';
}

function start(installation: Installation, dataDir: string): Promise<number> {
  // Before its log is written there.
  refuseForeignData(dataDir, ownRelease());
  return startInBackground(dataDir, process.argv[1] ?? '', installation);
}

async function stop(dataDir: string): Promise<number> {
  const { stopSystem } = await import('../stop.js');
  return print(`${await stopSystem(dataDir)}\n`);
}

function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}
