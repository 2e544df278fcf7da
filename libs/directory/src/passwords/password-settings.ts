import { setting } from '@ringdown/settings';

/** The rules for new passwords; they are the same in the command, in imports and over HTTP. */
export const passwordSettings = {
  passwordMinLength: setting.integer('PASSWORD_MIN_LENGTH', {
    task: 'people',
    default: 10,
    min: 8,
    max: 64,
    about: 'Characters that a new password must have; older passwords stay valid',
  }),
  badPasswordsFile: setting.optional(
    setting.text('BAD_PASSWORDS_FILE', {
      task: 'people',
      about: 'File with more passwords that are rejected, beside the known ones: UTF-8, one per line, up to 16 MiB',
    }),
  ),
};
