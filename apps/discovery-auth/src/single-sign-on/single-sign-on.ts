import type { Directory, Person, Role } from '@ringdown/directory';
import type { PeopleEditor } from '@ringdown/directory/editing';
import { PeopleFileError } from '@ringdown/directory/people-file';
import type { BoundPeople, ProviderPerson } from './bound-people.js';
import { createPerson } from './create-person.js';
import type { AuthorizationCode, OpenIdProvider } from './open-id-provider.js';
import { personName, rolesIn, type ClaimRules } from './person-claims.js';
import { ProviderUnavailable } from './provider-outages.js';
import { SignInRejected } from './sign-in-rejected.js';

export interface SingleSignOnOptions {
  readonly provider: OpenIdProvider;
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly rules: ClaimRules;
  /** A name in the form in which the directory finds it; undefined for a name of another domain. */
  readonly nameIn: (text: string) => string | undefined;
  readonly directory: Directory;
  readonly bound: BoundPeople;
  /** Creates unknown people of our domains, for a person who signs in from this address; undefined: rejects them. */
  readonly editorFor: ((ip: string) => PeopleEditor) | undefined;
  readonly isOurDomain: (domain: string) => boolean;
}

/** A person who signed in at the provider. */
export interface ProviderSignIn {
  readonly person: Person;
  /** Undefined where the roles of the directory count. */
  readonly roles: readonly Role[] | undefined;
  /** Where the person signs out at the provider, too. */
  readonly endSessionUrl?: string;
}

/** What a page needs to send a person to the provider (OpenID Connect Core, section 3.1.2.1). */
export interface ProviderAddress {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** Undefined while the provider cannot be reached. */
  readonly authorizationEndpoint: string | undefined;
}

/** Signs in people whom a provider has recognised, beside those with passwords. */
export class SingleSignOn {
  constructor(private readonly options: SingleSignOnOptions) {}

  async address(): Promise<ProviderAddress> {
    const { issuer, clientId, scope, provider } = this.options;
    const metadata = await provider.metadata().catch((error: unknown) => {
      if (error instanceof ProviderUnavailable) return undefined;
      throw error;
    });
    return { issuer, clientId, scope, authorizationEndpoint: metadata?.authorization_endpoint };
  }

  /** Throws {@link SignInRejected} or {@link ProviderUnavailable}. */
  async byCode(code: AuthorizationCode, ip: string): Promise<ProviderSignIn> {
    const { provider } = this.options;
    const claims = await provider.redeem(code);
    const endSessionUrl = await provider.endSessionUrl(code.redirectUri);
    return { ...(await this.personOf(claims, ip)), ...(endSessionUrl === undefined ? {} : { endSessionUrl }) };
  }

  /** Throws {@link SignInRejected} or {@link ProviderUnavailable}. */
  async byToken(token: string, ip: string): Promise<ProviderSignIn> {
    return this.personOf(await this.options.provider.exchange(token), ip);
  }

  private async personOf(claims: Readonly<Record<string, unknown>>, ip: string): Promise<ProviderSignIn> {
    const { rules, bound } = this.options;
    const account = { issuer: String(claims['iss']), subject: String(claims['sub']) };
    const person = (await bound.known(account)) ?? (await this.newlyBound(account, claims, ip));
    return { person, roles: rolesIn(claims, rules) };
  }

  /** At the first sign-in, the claim names the person. */
  private async newlyBound(
    account: ProviderPerson,
    claims: Readonly<Record<string, unknown>>,
    ip: string,
  ): Promise<Person> {
    const { rules, directory, nameIn, bound } = this.options;
    const claimed = personName(claims, rules);
    const name = claimed === undefined ? undefined : nameIn(claimed);
    if (name === undefined) {
      throw new SignInRejected(
        'NoPerson',
        `The token of the sign-in provider names no person in the claim ${rules.personClaim}.`,
      );
    }
    const { people } = directory;
    const known = people.withUsername(name) ?? people.withSipAddress(name);
    const person = known ?? (await this.created(name, claims, ip));
    if (person === undefined)
      throw new SignInRejected('PersonUnknown', 'The sign-in provider knows you, but this server does not.');
    await bound.bind(person, account, ip);
    return person;
  }

  private async created(
    username: string,
    claims: Readonly<Record<string, unknown>>,
    ip: string,
  ): Promise<Person | undefined> {
    const { editorFor, isOurDomain } = this.options;
    if (editorFor === undefined || !isOurDomain(username.slice(username.lastIndexOf('@') + 1))) return undefined;
    try {
      return await createPerson(editorFor(ip), { username, claims });
    } catch (cause) {
      if (!(cause instanceof PeopleFileError)) throw cause;
      throw new SignInRejected('NameNotPossible', 'The sign-in provider gives you a name that is not possible here.', {
        cause,
      });
    }
  }
}
