import { createHash } from 'node:crypto';
import type { Application } from '../sessions/application.js';

/** Identifies one event channel: an application and one of its instances. */
export interface ChannelKey {
  readonly applicationId: string;
  /** A token that can be part of a subject. */
  readonly instance: string;
}

/** Tabs choose ids that a subject may not contain, so they are hashed. */
export function channelKey(applicationId: string, instance: string | null): ChannelKey {
  if (instance === null) return { applicationId, instance: '0' };
  return { applicationId, instance: createHash('sha256').update(instance).digest('hex').slice(0, 24) };
}

export function applicationChannelKeys({ id, instances }: Application): readonly ChannelKey[] {
  return instances.map((instance) => channelKey(id, instance));
}
