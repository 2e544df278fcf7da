export { FileDirectory, type FileDirectoryOptions } from '../file-directory.js';
export { ensureFirstUsers, peopleFileIn, readFirstUsers, type FirstUser, type FirstUsers } from '../first-users.js';
export { editPeopleFile, readPeopleFile, writePeopleFile } from '../people-file.js';
export { parseAddress, parsePerson, PeopleFileError } from '../people-file-format.js';
export { FileEditor } from '../file-editor.js';
