export { FileDirectory, type FileDirectoryOptions } from '../people-file/file-directory.js';
export {
  ensureFirstUsers,
  peopleFileIn,
  readFirstUsers,
  type FirstUser,
  type FirstUsers,
} from '../people-file/first-users.js';
export { editPeopleFile, readPeopleFile, writePeopleFile } from '../people-file/people-file.js';
export { parseAddress, parsePerson, PeopleFileError } from '../people/people-file-format.js';
export { FileEditor } from '../people-file/file-editor.js';
