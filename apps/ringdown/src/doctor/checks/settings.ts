import { linksToAnotherPort, settingsWithoutEffect } from '../../setting-names.js';
import type { Check } from '../check.js';
import { ok, problem, warning, type Finding } from '../finding.js';

const NAME = /\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)*\b/;

/** One for each line that a start would end with. `envText`: the content of the file with settings. */
export function settingProblems(lines: readonly string[], envFile = '', envText = ''): readonly Finding[] {
  return lines.map((line) => {
    const name = NAME.exec(line)?.[0] ?? '';
    const at = envText.split('\n').findIndex((each) => each.replace(/^\s*(?:export )?/, '').startsWith(`${name}=`));
    const place = at === -1 ? 'where it is set, in the environment' : `in line ${at + 1} of ${envFile}`;
    return problem(line, `correct it ${place}; docs/settings.md has all settings`);
  });
}

/** Settings that are right, and do something else than the operator may think. */
export const SETTINGS: Check = {
  name: 'settings',
  looksAt: 'a value that is not allowed, a misspelled name, a setting without effect, links to another port',
  examine: ({ env, settings }) => {
    const without = settingsWithoutEffect(env).map((line) => warning(line, 'remove it, or set it where it is read'));
    const links = linksToAnotherPort(settings.port, env['PUBLIC_ORIGIN']).map((line) =>
      warning(line, 'give PUBLIC_ORIGIN the port of PORT, or remove it'),
    );
    return [...without, ...links, ...(without.length + links.length === 0 ? [ok('all can be read')] : [])];
  },
};
