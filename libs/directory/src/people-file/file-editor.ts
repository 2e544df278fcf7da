import {
  assertAddable,
  assertAdminLeft,
  assertAdminsLeft,
  assertFree,
  assertNotMisleading,
  mergedEntries,
  otherPeople,
  unknownUsername,
  withRenamedContact,
  type ChangeOptions,
  type NotStored,
  type PeopleEditor,
  type PutOptions,
  type RemoveOptions,
} from '../people/people-editor.js';
import { editPeopleFile, readPeopleFile } from './people-file.js';
import { PeopleFileError } from '../people/people-file-format.js';
import type { PersonEntry } from '../people/person.js';
import { uniquePersonNames } from '../people/unique-names.js';

/** Changes the people of a file. */
export class FileEditor implements PeopleEditor {
  constructor(private readonly file: string) {}

  list(): Promise<readonly PersonEntry[]> {
    return readPeopleFile(this.file);
  }

  catchUp(): Promise<void> {
    return Promise.resolve();
  }

  async find(username: string): Promise<PersonEntry | undefined> {
    return (await this.list()).find((person) => person.username === username);
  }

  add(entry: PersonEntry): Promise<void> {
    return editPeopleFile(this.file, (people) => {
      assertNotMisleading(entry);
      assertAddable(entry, otherPeople(people));
      return [...people, entry];
    });
  }

  change(username: string, edit: (entry: PersonEntry) => PersonEntry, { force }: ChangeOptions = {}): Promise<void> {
    return editPeopleFile(this.file, (people) => {
      const before = people.find((person) => person.username === username);
      if (before === undefined) throw unknownUsername(username);
      const after = edit(before);
      assertNotMisleading(after, before);
      if (!force) assertAdminLeft(before, after, people);
      assertNamesFree(before, after, people);
      const changed = people.map((person) => (person === before ? after : person));
      return after.username === username
        ? changed
        : changed.map((person) => withRenamedContact(person, username, after.username));
    });
  }

  unbind(): Promise<void> {
    return Promise.reject(
      new PeopleFileError(
        'PEOPLE_FILE is set: what people are bound to is on the message bus; use DELETE /api/people/USERNAME/identity',
      ),
    );
  }

  remove(username: string, { force, check }: RemoveOptions = {}): Promise<void> {
    return editPeopleFile(this.file, (people) => {
      const before = people.find((person) => person.username === username);
      if (before === undefined) throw unknownUsername(username);
      check?.(before);
      if (!force) assertAdminLeft(before, undefined, people);
      return people.filter((person) => person !== before);
    });
  }

  async putAll(entries: readonly PersonEntry[], { force, merge }: PutOptions = {}): Promise<readonly NotStored[]> {
    let notStored: readonly NotStored[] = [];
    await editPeopleFile(this.file, (people) => {
      const all = new Map(people.map((person) => [person.username, person]));
      const result = mergedEntries(entries, all, merge);
      if (!force) assertAdminsLeft(people, result.merged);
      for (const person of result.merged) all.set(person.username, person);
      notStored = result.notStored;
      return [...all.values()];
    });
    return notStored;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Names that stay may have been in the file before this was checked. */
function assertNamesFree(before: PersonEntry, after: PersonEntry, people: readonly PersonEntry[]): void {
  if (uniquePersonNames(before).join(' ') === uniquePersonNames(after).join(' ')) return;
  assertFree(after, otherPeople(people.filter((person) => person !== before)));
}
