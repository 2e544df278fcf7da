/** What a person may do: `user` signs in and uses interface A, `operator` also reads calls and front ends, `admin` changes people. */
export const ROLES = ['user', 'operator', 'reveal', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const PHONE_KINDS = ['work', 'home', 'mobile', 'other'] as const;
export type PhoneKind = (typeof PHONE_KINDS)[number];

/** Fields about the workplace: many people share these texts. */
export const WORK_FIELDS = ['title', 'department', 'company', 'office'] as const satisfies readonly (keyof Person)[];

/** A person as every part of the product may see them; contains no secrets. */
export interface Person {
  /** `user@domain`, lower case; what the person signs in with. */
  readonly username: string;
  readonly name: string;
  /** `sip:user@domain`, lower case. */
  readonly sipAddress: string;
  readonly mail?: string;
  readonly title?: string;
  readonly department?: string;
  readonly company?: string;
  readonly office?: string;
  /**
   * Numbers as `+` and digits, or only digits if the directory has a number without its country;
   * an extension follows as `;ext=` and digits (RFC 3966).
   */
  readonly phones: Readonly<Partial<Record<PhoneKind, string>>>;
  readonly roles: readonly Role[];
  /** Usernames of the people in this person's contact list, in its order. */
  readonly contacts: readonly string[];
  /** By the clock of the directory server, milliseconds since 1970; undefined if it does not report a time. */
  readonly passwordSetAt?: number;
}

/** A person as stored in the people file. Without a hash the person is found by searches but cannot sign in. */
export interface PersonEntry extends Person {
  /** argon2id in the PHC string format. */
  readonly passwordHash?: string;
  /** True for a person who may not sign in, until an administrator ends that. */
  readonly blocked?: true;
  /** How often an administrator has ended all sessions of the person; each time, older tokens become invalid. */
  readonly signOuts?: number;
}

/** A person without what only the sign-in may know. */
export function personWithoutSecrets({
  passwordHash: _hash,
  blocked: _blocked,
  signOuts: _signOuts,
  ...person
}: PersonEntry): Person {
  return person;
}
