import type { MeetingKey } from '../web-interface/index.js';

/** The meeting that the address of the page names, `/meet/alice@example.test/K7ZQ2M9XW4HJR8TC`. */
export function meetingAt(path: string): MeetingKey | undefined {
  const [, address = '', id = ''] = /^\/meet\/([^/]{3,250})\/([a-z0-9]{1,64})\/?$/i.exec(path) ?? [];
  const organizer = decoded(address);
  return organizer === undefined || !/^[^\s;@]+@[^\s;@]+$/.test(organizer)
    ? undefined
    : { organizer: `sip:${organizer}`, id };
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
