import { Inject, Injectable } from '@nestjs/common';
import { DIRECTORY, DirectoryBusy, DirectoryUnavailable, type Directory, type PersonEntry } from '@ringdown/directory';
import type { PeopleEditor } from '@ringdown/directory/editing';
import { CurrentRules, hashPassword, passwordMark, passwordProblem } from '@ringdown/directory/passwords';
import { Fault, InterfaceError, rejectParameter } from '@ringdown/web-server/errors';
import { SETTINGS, type Settings } from '../settings.js';
import { SignInLimitReached, SignInLimits } from '../sign-in/sign-in-limits.js';
import { Sessions } from '../sign-in/sessions.js';
import { Tokens } from '../sign-in/tokens.js';
import { accountErrors } from './account-errors.js';
import type { NewPasswordInput } from './account-input.js';

/** Who changes the password, with the token of the request. */
export interface Owner {
  readonly username: string;
  readonly tokenHash: string;
}

/** A person changes the own password: the session of the request stays, all others end. */
@Injectable()
export class OwnPassword {
  constructor(
    @Inject(DIRECTORY) private readonly directory: Directory,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly rules: CurrentRules,
    private readonly limits: SignInLimits,
    private readonly tokens: Tokens,
    private readonly sessions: Sessions,
  ) {}

  /** Throws {@link InterfaceError} or {@link Fault}. */
  async change({ username, tokenHash }: Owner, { current, new: chosen }: NewPasswordInput): Promise<void> {
    const { editor } = this.directory;
    if (editor === undefined) {
      const isInFile = this.settings.directoryUrls === undefined;
      throw new InterfaceError(isInFile ? accountErrors.passwordInFile : accountErrors.passwordElsewhere);
    }
    const entry = await editor.find(username);
    if (entry === undefined) throw new Fault('unauthorized');
    if (entry.passwordHash === undefined) throw new InterfaceError(accountErrors.noPassword);
    const problem = passwordProblem(chosen, entry, await this.rules.read());
    if (problem !== undefined) rejectParameter('new', `The new password ${problem.text}.`, problem.code);
    await this.check(username, current);
    if (current === chosen) rejectParameter('new', 'The new password must differ from the current one.', 'same');
    const passwordHash = await hashPassword(chosen);
    await this.keepSession(tokenHash, username, () => storePassword(editor, entry, passwordHash));
    await this.sessions.endOthers(username, tokenHash);
  }

  /** Counts like a sign-in, so that a stolen token does not help to guess the password. */
  private async check(username: string, password: string): Promise<void> {
    const find = (): ReturnType<Directory['account']> => this.directory.account(username);
    const signedIn = await this.limits.signIn({ name: username, password, find }).catch((error: unknown) => {
      if (error instanceof SignInLimitReached) throw retryLater('too-many-requests', error.retryAfterSeconds, error);
      if (error instanceof DirectoryBusy || error instanceof DirectoryUnavailable) {
        throw retryLater('unavailable', error.retryAfterSeconds, error);
      }
      throw error;
    });
    if (signedIn === undefined) throw new InterfaceError(accountErrors.wrongPassword);
  }

  /** The token of the request names the old password; meanwhile it is bound to the sessions of its owner instead. */
  private async keepSession(
    tokenHash: string,
    username: string,
    change: () => Promise<string | undefined>,
  ): Promise<void> {
    const before = (await this.tokens.bindingOf(tokenHash))?.passwordMark;
    const person = this.directory.people.withUsername(username);
    const sessionMark = person && this.directory.sessionMark(person);
    if (before === undefined || sessionMark === undefined) return void (await change());
    await this.tokens.bind(tokenHash, { sessionMark });
    let mark: string | undefined = before;
    try {
      mark = await change();
    } finally {
      if (mark !== undefined) await this.tokens.bind(tokenHash, { passwordMark: mark });
    }
  }
}

/** Returns the mark of the new password. */
async function storePassword(
  editor: PeopleEditor,
  { username, passwordHash: before }: PersonEntry,
  passwordHash: string,
): Promise<string | undefined> {
  let mark: string | undefined;
  await editor.change(username, (entry) => {
    if (entry.passwordHash !== before) throw new InterfaceError(accountErrors.changedMeanwhile);
    const after = { ...entry, passwordHash };
    mark = passwordMark(after);
    return after;
  });
  return mark;
}

function retryLater(kind: 'too-many-requests' | 'unavailable', seconds: number, cause: unknown): Fault {
  return new Fault(kind, { headers: { 'retry-after': String(seconds) }, cause });
}
