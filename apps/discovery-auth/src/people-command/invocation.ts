import { directorySettings } from '@ringdown/directory';
import type { PeopleEditor } from '@ringdown/directory/editing';
import { passwordSettings } from '@ringdown/directory/passwords';
import { setting, type Environment, type SettingValues } from '@ringdown/settings';
import type { CommandLine } from './command-line.js';

export interface CommandIo {
  readonly env: Environment;
  /** The whole standard input; read only with `--password-stdin`. */
  readInput(): Promise<string>;
  out(text: string): void;
  err(text: string): void;
}

export const commandSettings = {
  ...directorySettings,
  ...passwordSettings,
  natsUrl: setting.optional(
    setting.url('NATS_URL', ['nats', 'tls'], { task: 'bus', secret: true, about: 'NATS server' }),
  ),
};
export type CommandSettings = SettingValues<typeof commandSettings>;

export interface Invocation extends CommandLine {
  readonly settings: CommandSettings;
  readonly io: CommandIo;
}

/** What is left of a command when its options were read: a wrong command line needs no server. */
export type Prepared = (people: PeopleEditor) => Promise<void>;
