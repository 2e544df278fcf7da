import type { ConflictKind } from '@ringdown/directory/editing';
import type { ErrorRow } from '@ringdown/web-server/errors';

/** The errors of `/api/people`; those common to all interfaces are in `problemFaults`. */
export const administrationErrors = {
  noSuchPerson: { status: 404, code: 'no-such-person', message: 'There is no person with this username.' },
  noSuchSession: {
    status: 404,
    code: 'no-such-session',
    message: 'The person has no such session; it may have ended.',
  },
  noIdentity: {
    status: 404,
    code: 'no-identity',
    message: 'The person has not signed in with single sign-on, or the binding to the account there was ended.',
  },
  peopleInFile: {
    status: 409,
    code: 'people-elsewhere',
    message: 'People are in a file that this server only reads (PEOPLE_FILE): change them there.',
  },
  peopleInDirectory: {
    status: 409,
    code: 'people-elsewhere',
    message: 'People are in the directory of your organisation (DIRECTORY_URL): change them there.',
  },
  ownAccount: {
    status: 409,
    code: 'own-account',
    message:
      'Administrators cannot remove, block or reset their own account, or give up their own role: another administrator can.',
  },
} as const satisfies Record<string, ErrorRow>;

/** What a change that does not fit to other people is answered with. */
export const conflicts: Readonly<Record<ConflictKind, ErrorRow>> = {
  'unknown-username': administrationErrors.noSuchPerson,
  'username-in-use': {
    status: 409,
    code: 'username-in-use',
    message: 'Another person has this username. Nor may it be the SIP address of another person.',
  },
  'sip-address-in-use': {
    status: 409,
    code: 'sip-address-in-use',
    message: 'Another person has this SIP address. Nor may it be the username of another person.',
  },
  'unknown-contact': { status: 409, code: 'unknown-contact', message: 'A contact is not among the people.' },
  'last-admin': {
    status: 409,
    code: 'last-admin',
    message: 'This is the last administrator; give the role to another person first.',
  },
  'foreign-domain': {
    status: 409,
    code: 'foreign-domain',
    message: 'The domain of the username or SIP address is not served here: it is not one of SIP_DOMAINS.',
  },
  'changed-by-others': {
    status: 409,
    code: 'changed-meanwhile',
    message: 'Others change this person all the time; try again.',
  },
  'rename-interrupted': {
    status: 409,
    code: 'rename-interrupted',
    message:
      'A rename of this person was interrupted, and the person is there under both names: rename to the same name again, or remove the person with the new one.',
  },
};
