import { CALLS_CHANGED_SUBJECT, CALLS_IN_PROGRESS_PATTERN } from '@ringdown/contracts/calls';
import { channelSubject, pollsHeldPattern, pollsWakeSubject } from '@ringdown/contracts/event-channels';
import { collectorAnswersPattern } from '@ringdown/contracts/front-end-answers';
import { bundleSubject, PARTITIONS, recordsSubject } from '@ringdown/contracts/records';
import { REJECTED_SUBJECT } from '@ringdown/contracts/set-aside';
import { subscriberSubject } from '@ringdown/contracts/subscribers';
import { UPLOADS_CHECK_PATTERN } from '@ringdown/contracts/upload-tickets';
import { TOKENS_INTROSPECT_PATTERN, TOKENS_REVOKED_SUBJECT } from '@ringdown/contracts/tokens';
import { BusDescription } from './bus-description.js';

const description = new BusDescription();
const { document } = description;

/** All references in the document. */
function referencesIn(part: unknown): { $ref: string }[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = '$ref' in part && typeof part.$ref === 'string' ? [{ $ref: part.$ref }] : [];
  return [...own, ...Object.values(part).flatMap(referencesIn)];
}

describe('docs/asyncapi.yaml', () => {
  it('is AsyncAPI 3, and all its references can be resolved', () => {
    expect(document.asyncapi).toMatch(/^3\.\d+\.\d+$/);
    const references = referencesIn(document);
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((reference) => description.resolve(reference) === undefined)).toEqual([]);
  });

  it('contains no unused messages and schemas', () => {
    const used = new Set(referencesIn(document).map(({ $ref }) => $ref));
    const parts = ['messages', 'schemas'] as const;
    const unused = parts.flatMap((part) =>
      Object.keys(document.components[part]).filter((name) => !used.has(`#/components/${part}/${name}`)),
    );
    expect(unused).toEqual([]);
  });

  it.each(Object.entries(document.components.messages))(
    'has JSON schemas for %s, and examples that match them',
    (name, message) => {
      const pointer = `#/components/messages/${name}`;
      for (const part of ['headers', 'payload'] as const) {
        if (message[part] === undefined) continue;
        const validate = description.validator(`${pointer}/${part}`);
        for (const example of message.examples ?? []) {
          if (example[part] === undefined) continue;
          validate(example[part]);
          expect(validate.errors).toBeNull();
        }
      }
    },
  );

  it('lists every subject of the code once', () => {
    const partitions = Array.from({ length: PARTITIONS }, (_, partition) => recordsSubject(partition));
    for (const [channel, subjects] of Object.entries({
      records: partitions,
      bundles: [bundleSubject([]), bundleSubject([0, 3]), bundleSubject([0, 1, 2, 3, 4, 5, 6, 7])],
      rejected: [REJECTED_SUBJECT],
      callsChanged: [CALLS_CHANGED_SUBJECT],
      subscriberRecords: [subscriberSubject('billing', 'records')],
      subscriberCalls: [subscriberSubject('billing', 'calls')],
      collectorAnswers: [collectorAnswersPattern('8d969eef6eca')],
      callsInProgress: [CALLS_IN_PROGRESS_PATTERN],
      uploadsCheck: [UPLOADS_CHECK_PATTERN],
      introspection: [TOKENS_INTROSPECT_PATTERN],
      revocations: [TOKENS_REVOKED_SUBJECT],
      channels: [channelSubject('814530962077', '0')],
      pollWakes: [pollsWakeSubject('5b1f0c9d2e7a')],
      pollsHeld: [pollsHeldPattern('5b1f0c9d2e7a')],
    })) {
      for (const subject of subjects) expect([subject, description.channelsOf(subject)]).toEqual([subject, [channel]]);
    }
    expect(description.channelsOf(`ringdown.records.${PARTITIONS}`)).toEqual([]);
  });

  it('has a reader for each channel, and only messages of their channel in operations', () => {
    const operations = Object.values(document.operations);
    const read = operations.flatMap(({ action, channel, reply }) =>
      [action === 'receive' ? channel : undefined, reply?.channel].map((reference) => reference?.$ref),
    );
    for (const name of Object.keys(document.channels)) expect(read).toContain(`#/channels/${name}`);
    for (const { channel, messages = [] } of operations) {
      for (const { $ref } of messages) expect($ref).toMatch(new RegExp(`^${RegExp.escape(channel.$ref)}/messages/`));
    }
  });
});
