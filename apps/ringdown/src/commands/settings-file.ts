import { errorReason, nodeErrorCode } from '@ringdown/errors';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/**
 * Adds the settings of a file to the environment, whose own win. A missing file has none. Throws an Error in one line that says who may
 * read it.
 */
export function loadSettingsFile(file: string, env: NodeJS.ProcessEnv): void {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (nodeErrorCode(error) === 'ENOENT') return;
    if (nodeErrorCode(error) === 'EACCES')
      throw new Error(`${file} is for root and the group ringdown: call this command with sudo`, { cause: error });
    throw new Error(`${file} cannot be read: ${errorReason(error)}`, { cause: error });
  }
  for (const [name, value] of Object.entries(parseEnv(text))) env[name] ??= value;
}
