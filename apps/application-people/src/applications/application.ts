export const APPLICATION_TYPES = ['Browser', 'Phone'] as const;
export type ApplicationType = (typeof APPLICATION_TYPES)[number];

/** One running client of one user (web-interface.md, section 3). It outlives the token with which it was created. */
export interface Application {
  /** Twelve digits that cannot be guessed. */
  readonly id: string;
  /** The owner. */
  readonly username: string;
  /** The client's own name for itself, unique among the user's clients. */
  readonly endpointId: string;
  readonly culture: string;
  readonly userAgent: string;
  readonly type: ApplicationType;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970, exact to the hour. */
  readonly usedAt: number;
}

/** What stands under an endpoint: the id of its application. */
export interface Pointer {
  readonly id: string;
}

export function parseApplication(value: unknown): Application {
  const fields = fieldsOf(value);
  return {
    id: text(fields['id']),
    username: text(fields['username']),
    endpointId: text(fields['endpointId']),
    culture: text(fields['culture']),
    userAgent: text(fields['userAgent']),
    type: APPLICATION_TYPES.find((type) => type === fields['type']) ?? wrong(),
    createdAt: time(fields['createdAt']),
    usedAt: time(fields['usedAt']),
  };
}

export function parsePointer(value: unknown): Pointer {
  return { id: text(fieldsOf(value)['id']) };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : wrong();
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : wrong();
}

function time(value: unknown): number {
  return typeof value === 'number' ? value : wrong();
}

function wrong(): never {
  throw new Error('a stored application has another form than this version writes');
}
