import type { PersonAccount } from '../api/answers.js';

type Optional = 'sipAddress' | 'mail' | 'title' | 'department' | 'company' | 'office';

/** The body of a request that changes a person (docs/openapi.yaml, `PersonContent`). */
export type PersonContent = Omit<PersonAccount, Optional | 'hasPassword'> & Partial<Pick<PersonAccount, Optional>>;

export const PHONES = ['work', 'home', 'mobile', 'other'] as const;
/** Beside `user`, which everybody has. */
export const ROLES = ['operator', 'reveal', 'admin'] as const;
export const TEXTS = ['sipAddress', 'mail', 'title', 'department', 'company', 'office'] as const;

/** What an administrator has filled in; the server checks it. */
export function contentIn(form: FormData, blocked = false): PersonContent {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  return {
    username: text('username'),
    name: text('name'),
    ...filled(TEXTS, text),
    phones: filled(PHONES, (kind) => text(`phone.${kind}`).replaceAll(/[\s()./-]/g, '')),
    roles: ROLES.filter((role) => form.getAll('role').includes(role)),
    contacts: text('contacts')
      .split(/[\s,;]/)
      .filter((contact) => contact !== ''),
    blocked,
  };
}

function filled(names: readonly string[], read: (name: string) => string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, read(name)]).filter(([, value]) => value !== ''));
}

/** The content of a person who is blocked, or not any more, and otherwise the same. */
export function withBlock({ hasPassword: _hasPassword, ...content }: PersonAccount, blocked: boolean): PersonContent {
  return { ...content, blocked };
}
