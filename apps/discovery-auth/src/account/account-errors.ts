import type { ErrorRow } from '@ringdown/web-server/errors';

/** The errors of `/api/me`; those common to all interfaces are in `problemFaults`. */
export const accountErrors = {
  wrongPassword: { status: 403, code: 'wrong-password', message: 'The current password is wrong.' },
  passwordElsewhere: {
    status: 409,
    code: 'password-elsewhere',
    message: 'Your password is not stored here: change it in the directory of your organisation.',
  },
  passwordInFile: {
    status: 409,
    code: 'password-elsewhere',
    message: 'People are in a file that this server only reads: ask your administrator for a new password.',
  },
  noPassword: {
    status: 409,
    code: 'no-password',
    message: 'You have no password here: you sign in with single sign-on, and change your password there.',
  },
  changedMeanwhile: {
    status: 409,
    code: 'changed-meanwhile',
    message: 'An administrator has just changed your password. Sign in again.',
  },
  noSuchSession: { status: 404, code: 'no-such-session', message: 'You have no such session; it may have ended.' },
} as const satisfies Record<string, ErrorRow>;
