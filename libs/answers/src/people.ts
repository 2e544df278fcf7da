import type { PasswordRuleCode } from './problem.js';
import type { Integer, NextCursor, Text, Time } from './values.js';

export interface Caller {
  /** @examples ["carol@example.test"] */
  readonly username: Text;
  /** @pattern ^sip: */
  readonly sipAddress: string;
  /**
   * `user` for everyone; `operator` can read calls, front ends and services; an operator with `reveal` sees
   * the users of calls; `admin` changes people.
   */
  readonly roles: readonly ('user' | 'operator' | 'reveal' | 'admin')[];
  /** When the token expires */
  readonly expiresAt: Time;
}

export interface PasswordRules {
  /**
   * `PASSWORD_MIN_LENGTH`
   * @minimum 8
   */
  readonly minLength: Integer;
  readonly maxLength: Integer;
  /** Each completes "A new password …" */
  readonly rules: readonly Text[];
  /** Of the rules, in the same order; stable, for clients that have their own words */
  readonly codes: readonly PasswordRuleCode[];
}

export interface Sessions {
  readonly items: readonly Session[];
}

export interface Session {
  readonly id: Text;
  /** Whether it is the session of this request */
  readonly current: boolean;
  readonly signedInAt: Time;
  /** To within ten minutes */
  readonly lastUsedAt: Time;
  readonly expiresAt: Time;
  readonly signedInWith: 'password' | 'single-sign-on';
  /** IP address of the sign-in */
  readonly address: string | null;
  /** What the client called itself at the sign-in */
  readonly userAgent: string | null;
}

export interface Identity {
  /** `iss` of the tokens */
  readonly issuer: Text;
  /** `sub` of the tokens */
  readonly subject: Text;
  /** When the person first signed in with it */
  readonly boundAt: Time;
}

export interface PeoplePage {
  readonly items: readonly PersonSummary[];
  readonly next: NextCursor;
  /** Where people are: those in a file (`PEOPLE_FILE`) or directory server are only read here */
  readonly source: 'server' | 'file' | 'directory';
}

export interface PersonSummary {
  readonly username: Text;
  readonly name: Text;
  readonly mail: string | null;
  readonly title: string | null;
  readonly department: string | null;
  readonly roles: readonly ('user' | 'operator' | 'reveal' | 'admin')[];
  readonly blocked: boolean;
}

export interface PersonAccount extends PersonSummary {
  /** @pattern ^sip: */
  readonly sipAddress: string;
  readonly company: string | null;
  readonly office: string | null;
  readonly phones: PersonPhones;
  /** Usernames */
  readonly contacts: readonly string[];
  /** Null if people are not on this server */
  readonly hasPassword: boolean | null;
}

/**
 * Numbers as `+` and digits
 * @additionalProperties false
 */
export interface PersonPhones {
  readonly work?: string;
  readonly home?: string;
  readonly mobile?: string;
  readonly other?: string;
}

export interface AddedPerson extends PersonAccount {
  /** Generated, shown only here; null without one */
  readonly password: string | null;
}

export interface GeneratedPassword {
  readonly password: Text;
}
