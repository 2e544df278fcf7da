export { canonicalName } from './address.js';
export { isMisleading } from './misleading.js';
export { directoryProvider } from './directory-provider.js';
export { assertDirectoryFiles, DIRECTORY, openDirectory, type DirectoryContext } from './open-directory.js';
export { DirectoryBusy, DirectoryUnavailable, type Account, type Directory, type SignInResult } from './directory.js';
export { PeopleList, type People } from './people.js';
export { PHONE_KINDS, ROLES, type Person, type PersonEntry, type PhoneKind, type Role } from './person.js';
export type { Photo } from './photo.js';
export { directorySettings, isOnBus, peopleFilePath } from './settings.js';
