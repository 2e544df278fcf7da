// The same searches on the directory server itself, with an index for every attribute that is searched.
import { AndFilter, Client, OrFilter, SubstringFilter } from 'ldapts';
import { PEOPLE_DN } from '@ringdown/testing/ldif';
import { SERVICE_DN, SERVICE_PASSWORD } from '@ringdown/testing/servers/slapd';

const NAMES = ['cn', 'sn', 'givenName', 'mail', 'uid', 'title', 'departmentNumber'];
const PHONES = ['telephoneNumber', 'mobile'];

export const slapdIndexes = ['objectClass,entryUUID,modifyTimestamp eq', `${[...NAMES, ...PHONES].join(',')} eq,sub`];

const CONNECTIONS = 8;

export async function connect({ url }) {
  const clients = Array.from({ length: CONNECTIONS }, () => new Client({ url }));
  await Promise.all(clients.map((client) => client.bind(SERVICE_DN, SERVICE_PASSWORD)));
  let next = 0;
  return {
    search: async (query) => {
      const { searchEntries } = await clients[next++ % CONNECTIONS].search(PEOPLE_DN, {
        filter: filterFor(query),
        attributes: ['cn', 'mail', 'uid', 'title', 'departmentNumber', 'telephoneNumber', 'mobile'],
        sizeLimit: 26,
      });
      return { found: Math.min(searchEntries.length, 25), more: searchEntries.length > 25 };
    },
    close: () => Promise.all(clients.map((client) => client.unbind())),
  };
}

function any(filters) {
  return new OrFilter({ filters });
}

/** Prefixes of values, and of the second word of a name. The server does not sort: the first 26 results are used. */
function filterFor({ words, digits }) {
  if (digits !== '') return any(PHONES.map((attribute) => new SubstringFilter({ attribute, any: [digits] })));
  return new AndFilter({
    filters: words.map((word) =>
      any([
        ...NAMES.map((attribute) => new SubstringFilter({ attribute, initial: word })),
        new SubstringFilter({ attribute: 'cn', any: [` ${word}`] }),
      ]),
    ),
  });
}
