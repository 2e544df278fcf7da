import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import type { SettingValues } from '@ringdown/settings';
import { stat } from 'node:fs/promises';
import { readPasswordRules, type PasswordRules } from './password-rules.js';
import type { passwordSettings } from './password-settings.js';

type PasswordSettings = SettingValues<typeof passwordSettings>;

/** The rules for new passwords, with the file of bad passwords as it is at each use. */
export class CurrentRules {
  private constructor(
    private readonly settings: PasswordSettings,
    private readonly logger: Logger,
    private version: string,
    private rules: PasswordRules,
  ) {}

  /** Throws `SettingsError` for a wrong file; later, a wrong one leaves the rules as they are. */
  static async open(settings: PasswordSettings, logger: Logger): Promise<CurrentRules> {
    const version = await badPasswordsVersion(settings).catch(() => '');
    return new CurrentRules(settings, logger, version, await readPasswordRules(settings));
  }

  async read(): Promise<PasswordRules> {
    try {
      const version = await badPasswordsVersion(this.settings);
      if (version !== this.version) {
        this.rules = await readPasswordRules(this.settings);
        this.version = version;
        this.logger.info({ passwords: this.rules.bad.size }, 'read the bad passwords again');
      }
    } catch (error) {
      this.logger.error({ reason: errorReason(error) }, 'cannot read the bad passwords; those last read stay rejected');
    }
    return this.rules;
  }
}

async function badPasswordsVersion({ badPasswordsFile: file }: PasswordSettings): Promise<string> {
  if (file === undefined) return '';
  const { mtimeMs, size, ino } = await stat(file);
  return `${mtimeMs} ${size} ${ino}`;
}
