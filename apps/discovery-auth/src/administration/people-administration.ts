import { Inject, Injectable } from '@nestjs/common';
import { canonicalName, DIRECTORY, type Directory, type PersonEntry } from '@ringdown/directory';
import { assertServed, PeopleConflict, type PeopleEditor } from '@ringdown/directory/editing';
import { generatePassword, hashPassword, withNewPassword, withSessionsEnded } from '@ringdown/directory/passwords';
import { PeopleFileError } from '@ringdown/directory/people-file';
import { Identities, type Identity } from '@ringdown/directory/stored';
import { checkMatch, Fault, InterfaceError, requireMatch } from '@ringdown/web-server/errors';
import { PeopleAuditLog } from '../audit/people-audit-log.js';
import { SETTINGS, type Settings } from '../settings.js';
import { Sessions } from '../sign-in/sessions.js';
import { administrationErrors, conflicts } from './administration-errors.js';
import { fromBus } from '../sign-in/bus-fault.js';
import type { PeopleQuery } from './people-query.js';
import { matchesWords, peoplePage } from './people-page.js';
import { entryFrom, type NewPersonInput, type PersonInput } from './person-input.js';
import type { PersonSummary, PersonAccount } from '@ringdown/answers/people';
import { accountEtag, accountOf, personAccount, personSummary } from './person-view.js';

/** Who makes a change, and from which address. */
export interface Admin {
  readonly username: string;
  readonly ip: string;
}

/** A person and the entity tag of that state. */
export interface TaggedAccount {
  readonly account: PersonAccount;
  readonly etag: string;
}

/** Where people are; only those on this server can be changed here. */
export type PeopleSource = 'server' | 'file' | 'directory';

/** What administrators do with people. Throws {@link InterfaceError} and {@link Fault}. */
@Injectable()
export class PeopleAdministration {
  readonly source: PeopleSource;

  constructor(
    @Inject(DIRECTORY) private readonly directory: Directory,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly log: PeopleAuditLog,
    private readonly sessions: Sessions,
    private readonly identities: Identities,
  ) {
    if (settings.directoryUrls !== undefined) this.source = 'directory';
    else this.source = settings.peopleFile === undefined ? 'server' : 'file';
  }

  async page({ limit, cursor, search, role, blocked }: PeopleQuery): Promise<{
    readonly people: readonly PersonSummary[];
    readonly hasMore: boolean;
  }> {
    const { directory } = this;
    await this.attempt(async () => directory.editor?.catchUp());
    const { people, hasMore } = await peoplePage(directory.people.all, {
      limit,
      after: cursor,
      matches: (person) =>
        (role === undefined || person.roles.includes(role)) &&
        (blocked === undefined || this.isBlocked(person) === blocked) &&
        (search === undefined || matchesWords(person, search)),
    });
    return { people: people.map((person) => personSummary(person, this.isBlocked(person))), hasMore };
  }

  async read(name: string): Promise<TaggedAccount> {
    const username = canonicalName(name);
    const { editor, people } = this.directory;
    if (editor === undefined) {
      const person = people.withUsername(username);
      if (person === undefined) throw new InterfaceError(administrationErrors.noSuchPerson);
      const account = personAccount(person, this.isBlocked(person), null);
      return { account, etag: accountEtag(account) };
    }
    const entry = await this.attempt(() => editor.find(username));
    if (entry === undefined) throw new InterfaceError(administrationErrors.noSuchPerson);
    return tagged(entry);
  }

  /** The password is generated: only the person chooses one. */
  async add(admin: Admin, input: NewPersonInput): Promise<TaggedAccount & { readonly password: string | null }> {
    const editor = this.editorOf(admin);
    const password = input.withPassword ? generatePassword() : null;
    const secret = password === null ? {} : { passwordHash: await hashPassword(password) };
    const entry = entryFrom(input, secret);
    await this.attempt(() => {
      assertServed(entry, this.settings.sipDomains);
      return editor.add(entry);
    });
    return { ...tagged(entry), password };
  }

  /** Everything but password and sessions is as in the input afterwards. */
  async change(admin: Admin, name: string, input: PersonInput, ifMatch: string | undefined): Promise<TaggedAccount> {
    const editor = this.editorOf(admin);
    const username = canonicalName(name);
    const isNobody = (contact: string): boolean => this.directory.people.withUsername(contact) === undefined;
    return this.edit(editor, username, (before) => {
      requireMatch(ifMatch, tagged(before).etag);
      const added = input.contacts.filter((contact) => !before.contacts.includes(contact));
      if (added.some(isNobody)) throw new InterfaceError(conflicts['unknown-contact']);
      const after = entryFrom(input, before);
      assertServed(after, this.settings.sipDomains, before);
      const givesUp = before.roles.includes('admin') && !after.roles.includes('admin');
      if (username === admin.username && (after.blocked || givesUp)) throw ownAccount();
      return after;
    });
  }

  async remove(admin: Admin, name: string, ifMatch: string | undefined): Promise<void> {
    const editor = this.editorOf(admin);
    const username = canonicalName(name);
    const check = (entry: PersonEntry): void => {
      checkMatch(ifMatch, tagged(entry).etag);
      if (username === admin.username) throw ownAccount();
    };
    await this.attempt(() => editor.remove(username, { check }));
  }

  /** A generated password, which is returned once; all sessions end. */
  async resetPassword(
    admin: Admin,
    name: string,
    ifMatch: string | undefined,
  ): Promise<{ readonly password: string; readonly etag: string }> {
    const editor = this.editorOf(admin);
    const username = canonicalName(name);
    const password = generatePassword();
    const passwordHash = await hashPassword(password);
    const { etag } = await this.edit(editor, username, (before) => {
      requireMatch(ifMatch, tagged(before).etag);
      if (username === admin.username) throw ownAccount();
      return withNewPassword(before, passwordHash);
    });
    return { password, etag };
  }

  /** All of them, also those that a replica does not know. */
  async endSessions(admin: Admin, name: string): Promise<void> {
    const { username } = (await this.read(name)).account;
    if (this.directory.editor !== undefined) {
      const editor = this.editorOf(admin);
      await this.edit(editor, username, withSessionsEnded);
    } else {
      await this.auditedEnd(admin, username, () => this.sessions.endOthers(username));
    }
  }

  async endSession(admin: Admin, name: string, id: string): Promise<void> {
    const { username } = (await this.read(name)).account;
    await this.auditedEnd(admin, username, async () => {
      if (!(await this.sessions.end(username, id))) throw new InterfaceError(administrationErrors.noSuchSession);
    });
  }

  /** The account of the person at the sign-in provider. */
  async identity(name: string): Promise<Identity> {
    const { username } = (await this.read(name)).account;
    const identity = await fromBus(this.identities.of(username));
    if (identity === undefined) throw new InterfaceError(administrationErrors.noIdentity);
    return identity;
  }

  /** The next account there that names the person is this person; all sessions end. */
  async forgetIdentity(admin: Admin, name: string): Promise<void> {
    const { username } = await this.identity(name);
    const by = { by: admin.username, from: admin.ip };
    const change = { action: 'change', ...by, people: [username], changed: ['identity'] } as const;
    await fromBus(this.log.recordResult(change, () => this.identities.forget(username)));
    await this.endSessions(admin, username);
  }

  private auditedEnd(admin: Admin, username: string, work: () => Promise<unknown>): Promise<void> {
    const by = { by: admin.username, from: admin.ip };
    const change = { action: 'end-sessions', ...by, people: [username], changed: ['sessions'] } as const;
    return fromBus(this.log.recordResult(change, work));
  }

  private isBlocked(person: Parameters<Directory['sessionMark']>[0]): boolean {
    return this.directory.sessionMark(person) === undefined;
  }

  private editorOf({ username, ip }: Admin): PeopleEditor {
    const { editor } = this.directory;
    if (editor !== undefined) return this.log.audited(editor, { by: username, from: ip });
    const isInFile = this.source === 'file';
    throw new InterfaceError(isInFile ? administrationErrors.peopleInFile : administrationErrors.peopleInDirectory);
  }

  private async edit(
    editor: PeopleEditor,
    username: string,
    edit: (before: PersonEntry) => PersonEntry,
  ): Promise<TaggedAccount> {
    let changed: TaggedAccount | undefined;
    await this.attempt(() =>
      editor.change(username, (before) => {
        const after = edit(before);
        changed = tagged(after);
        return after;
      }),
    );
    if (changed === undefined) throw new Error('the editor has not changed the person');
    return changed;
  }

  /** Other errors are those of the bus. */
  private attempt<T>(work: () => Promise<T>): Promise<T> {
    return fromBus(this.explained(work));
  }

  private async explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof PeopleConflict) throw new InterfaceError(conflicts[cause.kind], { cause });
      if (cause instanceof PeopleFileError) throw new Fault('invalid-parameter', { message: cause.message, cause });
      throw cause;
    }
  }
}

function tagged(entry: PersonEntry): TaggedAccount {
  const account = accountOf(entry);
  return { account, etag: accountEtag(account, entry.passwordHash) };
}

function ownAccount(): InterfaceError {
  return new InterfaceError(administrationErrors.ownAccount);
}
