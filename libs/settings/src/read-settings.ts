import { errorReason } from '@ringdown/errors';
import type { Setting, SettingFields, SettingValues } from './setting.js';

/** The source of settings: `process.env` in programs, a literal in tests. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Every setting that is missing, wrong or unknown, one problem per line; programs print it and exit with code 2. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** Reads all fields before it throws, so that an operator sees all problems at once. */
export function readSettings<F extends SettingFields>(fields: F, env: Environment): SettingValues<F> {
  const problems: string[] = [];
  const values = Object.entries(fields).map(([key, setting]) => [key, readOne(setting, env, problems)]);
  if (problems.length > 0) throw new SettingsError(problems);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each entry was parsed by the setting of its key
  return Object.fromEntries(values) as SettingValues<F>;
}

/** Reads several groups of fields, each for another part, and reports the problems of all groups at once. */
export function readSettingGroups<G extends Readonly<Record<string, SettingFields>>>(
  groups: G,
  env: Environment,
): { readonly [K in keyof G]: SettingValues<G[K]> } {
  const problems: string[] = [];
  const values = Object.entries(groups).map(([key, fields]) => {
    try {
      return [key, readSettings(fields, env)];
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      problems.push(...error.problems);
      return [key, {}];
    }
  });
  if (problems.length > 0) throw new SettingsError([...new Set(problems)]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each group was read by the fields of its key
  return Object.fromEntries(values) as { readonly [K in keyof G]: SettingValues<G[K]> };
}

function readOne(setting: Setting<unknown>, env: Environment, problems: string[]): unknown {
  const raw = env[setting.env]?.trim();
  if (raw === undefined || raw === '') {
    if (setting.required) problems.push(`${setting.env} is not set: ${setting.about}`);
    return setting.fallback;
  }
  try {
    return setting.parse(raw);
  } catch (error) {
    const reason = errorReason(error);
    problems.push(`${setting.env} ${reason}${setting.secret ? '' : `, not "${raw}"`}`);
    return undefined;
  }
}
