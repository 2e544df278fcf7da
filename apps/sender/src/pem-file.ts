import { SettingsError } from '@ringdown/settings';
import { readFileSync } from 'node:fs';

/** `name`: of the setting that names the file. Throws `SettingsError`. */
export function readPemFile(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new SettingsError([`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`]);
  }
  if (!text.includes('-----BEGIN ')) throw new SettingsError([`${name}: ${file} holds no PEM`]);
  return text;
}
