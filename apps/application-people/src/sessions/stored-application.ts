import {
  APPLICATION_TYPES,
  END_REASONS,
  type Application,
  type ApplicationType,
  type Tombstone,
} from './application.js';

/** An application as it is stored beside the others of its user: what is as usual is left out. */
export interface StoredApplication extends Omit<Application, 'username' | 'type' | 'instances'> {
  /** Left out: Browser. */
  readonly type?: ApplicationType;
  /** Left out: the client itself. */
  readonly instances?: Application['instances'];
}

export function storedForm({ username: _username, type, instances, ...rest }: Application): StoredApplication {
  const isUsual = instances.length === 1 && instances[0] === null;
  return { ...rest, ...(type === 'Browser' ? {} : { type }), ...(isUsual ? {} : { instances }) };
}

export function restored(username: string, stored: StoredApplication): Application {
  const { type = 'Browser', instances = [null], ...rest } = stored;
  return { ...rest, username, type, instances };
}

/** Also of the form of versions before ADR 0070. */
export function parseApplication(value: unknown): StoredApplication {
  const fields = storedFields(value);
  const { type, instances, createdAt } = fields;
  return {
    id: text(fields['id']),
    endpointId: text(fields['endpointId']),
    culture: text(fields['culture']),
    userAgent: text(fields['userAgent']),
    usedAt: time(fields['usedAt']),
    ...(createdAt === undefined ? {} : { createdAt: time(createdAt) }),
    ...(type === undefined ? {} : { type: APPLICATION_TYPES.find((known) => known === type) ?? wrong() }),
    ...(instances === undefined
      ? {}
      : { instances: list(instances).map((instance) => (instance === null ? null : text(instance))) }),
  };
}

export function parseTombstone(value: unknown): Tombstone {
  const fields = storedFields(value);
  const ended = END_REASONS.find((reason) => reason === fields['ended']) ?? wrong();
  return { id: text(fields['id']), ended, at: time(fields['at']) };
}

export function storedFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : wrong();
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : wrong();
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : wrong();
}

function time(value: unknown): number {
  return typeof value === 'number' ? value : wrong();
}

function wrong(): never {
  throw new Error('a stored application has an unknown format');
}
