import type { Person } from '@ringdown/directory';
import { LinkBuilder, resourceJson, resourceObject } from '@ringdown/hypermedia';
import { defaultProfile } from '@ringdown/vendor-profile';
import { PresenceResources } from '../presence/presence-resources.js';
import { SubscriptionResources } from '../subscriptions/subscription-resources.js';
import { PrivacyResources } from '../privacy/privacy-resources.js';
import { PeopleResources } from './people-resources.js';

const links = new LinkBuilder({ web: defaultProfile.web, publicOrigin: 'https://uc.example.test' });
const resources = new PeopleResources(
  links,
  new PresenceResources(links),
  new SubscriptionResources(links),
  new PrivacyResources(links),
);

function person(user: string, more: Partial<Person> = {}): Person {
  const username = `${user}@example.test`;
  return { username, name: user, sipAddress: `sip:${username}`, phones: {}, roles: ['user'], contacts: [], ...more };
}

const odd = person('a%b/c?d"e\\f', { name: '"\\\u2028 </script> 山田 \ud800', title: '', office: '{}', mail: '"@x' });
const full = person("pat.o'brien", {
  mail: 'Pat@Mail.test',
  title: 'Head "of" it',
  department: 'Sales',
  company: 'Example Ltd.',
  office: '7.106',
  phones: { work: '+12025550006;ext=7', mobile: '+447700900006' },
});
const request = { query: 'a "b" &', limit: 25, limitGiven: true } as const;

describe('the JSON of a search result', () => {
  it.each<[string, readonly Person[]]>([
    ['nobody', []],
    ['a person with few properties', [person('ann')]],
    ['a person with all properties', [full]],
    ['addresses and texts that need escapes', [odd, person('山田'), person('nobody')]],
    ['many people', [full, odd, person('ann'), person('nobody@contact.invalid')]],
  ])('is for %s the same text as its resources produce', (_whom, people) => {
    for (const revision of [{}, { revision: '2' } as const]) {
      const result = { people, moreResultsAvailable: people.length > 1 };
      const found = resources.search('17', { ...request, ...revision }, result);
      expect(resourceJson(found)).toBe(JSON.stringify(resourceObject(found)));
      expect(JSON.parse(resourceJson(found))).toMatchObject({ rel: 'search' });
    }
  });
});
