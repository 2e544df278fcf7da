import { errorReason } from '@ringdown/errors';
import { SettingsError } from '@ringdown/settings';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readOwnSettings, setValues } from '../own-settings.js';
import { CHECKS } from './checks/all.js';
import { settingProblems } from './checks/settings.js';
import { unknown } from './finding.js';
import { examine, exitCode, reportJson, reportText, type Examined } from './report.js';
import { readSystem } from './system.js';

// `npm run doctor`: what is wrong with this system and machine, and what to do about it. Exit code 0: no problem, 1: problems, 2: wrong settings.
const { values } = parseArgs({ options: { json: { type: 'boolean' } } });
const { env } = process;
const given = setValues(env);
const file = env['RINGDOWN_ENV_FILE'];
const envFile = file !== undefined && existsSync(file) ? file : undefined;
const places = { envFile, backups: resolve(env['RINGDOWN_BACKUPS'] ?? 'backups') };

const WRONG_SETTINGS = 2;

try {
  const settings = await readOwnSettings(given);
  print(await examine(CHECKS, await readSystem(given, settings, places)));
} catch (error) {
  const lines = error instanceof SettingsError ? error.problems : [errorReason(error)];
  const text = envFile === undefined ? '' : readFileSync(envFile, 'utf8');
  const rest = unknown('nothing else was looked at', 'run it again when the settings are right');
  print([{ check: 'settings', findings: [...settingProblems(lines, envFile, text), rest] }]);
  process.exitCode = WRONG_SETTINGS;
}

function print(examined: readonly Examined[]): void {
  process.stdout.write(values.json === true ? reportJson(examined) : reportText(examined));
  process.exitCode = exitCode(examined);
}
