import type { Directory, Person } from '@ringdown/directory';
import type { Identities } from '@ringdown/directory/stored';
import { SignInRejected } from './sign-in-rejected.js';

/** A person of the provider: `iss` and `sub` of the token (OpenID Connect Core, section 5.7). */
export interface ProviderPerson {
  readonly issuer: string;
  readonly subject: string;
}

export interface BoundPeopleOptions {
  readonly directory: Directory;
  readonly identities: Identities;
  /** Called when a person is bound to an account from then on. */
  readonly onBound: (username: string, ip: string) => void;
}

/**
 * Binds people to their accounts at the provider at the first sign-in. From then on, an account is the same person,
 * whatever its name becomes, and no other account is that person until an administrator ends the binding.
 */
export class BoundPeople {
  constructor(private readonly options: BoundPeopleOptions) {}

  /** The person whom the account has signed in as before; undefined if there is none, or the person has left. */
  async known(account: ProviderPerson): Promise<Person | undefined> {
    const { directory, identities } = this.options;
    const username = await identities.usernameOf(account);
    if (username === undefined) return undefined;
    const person = directory.people.withUsername(username);
    if (person !== undefined || directory.editor === undefined) return person;
    // Renamed a moment ago.
    await directory.editor.catchUp();
    return directory.people.withUsername(username);
  }

  /** Binds a person to the account, which is bound to nobody of today. Throws {@link SignInRejected}. */
  async bind(person: Person, account: ProviderPerson, ip: string): Promise<void> {
    const { identities, onBound } = this.options;
    // Somebody who has left, or has another username in a directory that tells no renames.
    const former = await identities.usernameOf(account);
    if (former === person.username) return;
    if (!(await identities.bind(person.username, account))) {
      throw new SignInRejected('OtherAccount', 'Another account of the sign-in provider is this person.');
    }
    if (former !== undefined) await identities.forget(former);
    onBound(person.username, ip);
  }
}
