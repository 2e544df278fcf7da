export { AuditedEditor, type Auditor } from './audit/audited-editor.js';
export { auditedDifferences, auditedReason, parsePeopleAudit, type PeopleAudit } from './audit/people-audit.js';
export { canonicalName } from './address.js';
export { isMisleading } from './misleading.js';
export { FileDirectory, type FileDirectoryOptions } from './file-directory.js';
export { ensureFirstUsers, peopleFileIn, readFirstUsers, type FirstUser, type FirstUsers } from './first-users.js';
export { generatePassword, hashPassword, PasswordChecks, type PasswordCheckOptions } from './passwords.js';
export { directoryProvider } from './directory-provider.js';
export { assertDirectoryFiles, DIRECTORY, openDirectory, type DirectoryContext } from './open-directory.js';
export { DirectoryBusy, DirectoryUnavailable, type Account, type Directory, type SignInResult } from './directory.js';
export { PeopleList, type People } from './people.js';
export { editPeopleFile, readPeopleFile, writePeopleFile } from './people-file.js';
export { parseAddress, parsePerson, PeopleFileError } from './people-file-format.js';
export { PHONE_KINDS, ROLES, type Person, type PersonEntry, type PhoneKind, type Role } from './person.js';
export type { Photo } from './photo.js';
export {
  describePasswordRules,
  MAX_PASSWORD_LENGTH,
  passwordProblem,
  readPasswordRules,
  type PasswordRule,
  type PasswordRuleCode,
  type PasswordRules,
} from './password-rules/password-rules.js';
export { CurrentRules } from './password-rules/current-rules.js';
export { passwordSettings } from './password-rules/password-settings.js';
export { directorySettings, isOnBus, peopleFileOf } from './settings.js';
export { FileEditor } from './file-editor.js';
export {
  PeopleConflict,
  type ChangeOptions,
  type ConflictKind,
  type NotStored,
  type PeopleEditor,
} from './people-editor.js';
export { StoreEditor } from './stored/store-editor.js';
export { passwordMark, withNewPassword, withSessionsEnded } from './secret.js';
export { Identities } from './stored/identities.js';
export type { Identity } from './stored/stored-identity.js';
export { PeopleStore } from './stored/people-store.js';
export { storeFirstPeople } from './stored/first-people.js';
export { currentAddresses, isBefore, isFinished, type Rename } from './stored/stored-rename.js';
export { misleadingName, takenName, uniqueNamesOf, type PersonNames } from './unique-names.js';
export { isRemoved, type Removal } from './stored/stored-removal.js';
export type { Wanted } from './stored/stored-entry.js';
export type { StoredPerson } from './stored/stored-people.js';
