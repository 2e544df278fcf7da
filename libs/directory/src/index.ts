export { canonicalName } from './people/address.js';
export { isMisleading } from './people/misleading.js';
export { directoryProvider } from './directory-provider.js';
export { assertDirectoryFiles, DIRECTORY, openDirectory, type DirectoryContext } from './open-directory.js';
export {
  DirectoryBusy,
  DirectoryUnavailable,
  type Account,
  type Directory,
  type SignInResult,
} from './people/directory.js';
export { PeopleList, type People } from './people/people.js';
export { PHONE_KINDS, ROLES, type Person, type PersonEntry, type PhoneKind, type Role } from './people/person.js';
export type { Photo } from './photos/photo.js';
export { directorySettings, isOnBus, peopleFilePath } from './settings.js';
