import { errorReason } from '@ringdown/errors';
import type { ChangeOptions, NotStored, PeopleEditor, PutOptions, RemoveOptions } from '../people/people-editor.js';
import { PeopleFileError } from '../people/people-file-format.js';
import type { PersonEntry } from '../people/person.js';
import { auditedChange, auditedReason, MAX_PEOPLE, type PeopleAudit } from './people-audit.js';

/** Who changes people, and from where. */
export type Auditor = Pick<PeopleAudit, 'by' | 'from'>;
type Change = Omit<PeopleAudit, 'by' | 'from' | 'result' | 'reason'>;

/** Records each change with its result, whether it was made or rejected. */
export class AuditedEditor implements PeopleEditor {
  constructor(
    private readonly editor: PeopleEditor,
    private readonly auditor: Auditor,
    private readonly record: (audit: PeopleAudit) => void | Promise<void>,
  ) {}

  list(): Promise<readonly PersonEntry[]> {
    return this.editor.list();
  }

  catchUp(): Promise<void> {
    return this.editor.catchUp();
  }

  find(username: string): Promise<PersonEntry | undefined> {
    return this.editor.find(username);
  }

  add(entry: PersonEntry): Promise<void> {
    const change = { action: 'add', people: [entry.username], ...auditedChange(undefined, entry) } as const;
    return this.audited(
      () => this.editor.add(entry),
      () => change,
    );
  }

  change(username: string, edit: (entry: PersonEntry) => PersonEntry, options?: ChangeOptions): Promise<void> {
    let change: Change = { action: 'change', people: [username] };
    const noted = (before: PersonEntry): PersonEntry => {
      const after = edit(before);
      const details = auditedChange(before, after);
      change = { action: details.newUsername === undefined ? 'change' : 'rename', people: [username], ...details };
      return after;
    };
    return this.audited(
      () => this.editor.change(username, noted, options),
      () => change,
    );
  }

  remove(username: string, options?: RemoveOptions): Promise<void> {
    return this.audited(
      () => this.editor.remove(username, options),
      () => ({ action: 'remove', people: [username] }),
    );
  }

  unbind(username: string): Promise<void> {
    return this.audited(
      () => this.editor.unbind(username),
      () => ({ action: 'change', people: [username], changed: ['identity'] }),
    );
  }

  async putAll(entries: readonly PersonEntry[], options?: PutOptions): Promise<readonly NotStored[]> {
    let notStored: readonly NotStored[] = [];
    const outcome = await caughtError(async () => {
      notStored = await this.editor.putAll(entries, options);
    });
    const rejected = new Set(notStored.map(({ username }) => username));
    const stored = entries.filter(({ username }) => !rejected.has(username));
    for (let at = 0; at < stored.length; at += MAX_PEOPLE) {
      const people = stored.slice(at, at + MAX_PEOPLE).map(({ username }) => username);
      await this.note({ action: 'import', people }, outcome);
    }
    for (const { username, reason } of notStored) {
      await this.note({ action: 'import', people: [username] }, { error: new PeopleFileError(reason) });
    }
    if (outcome !== undefined) throw outcome.error;
    return notStored;
  }

  close(): Promise<void> {
    return this.editor.close();
  }

  private async audited(work: () => Promise<void>, change: () => Change): Promise<void> {
    const outcome = await caughtError(work);
    await this.note(change(), outcome);
    if (outcome !== undefined) throw outcome.error;
  }

  private async note(change: Change, failure: { readonly error: unknown } | undefined): Promise<void> {
    const result = failure === undefined ? 'done' : 'rejected';
    const reason = failure === undefined ? {} : { reason: auditedReason(errorReason(failure.error)) };
    await this.record({ ...change, ...this.auditor, result, ...reason });
  }
}

async function caughtError(work: () => Promise<void>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return { error };
  }
}
