// What people type into a search: always the same list for the same people.

/** Each query with its words and digits, for engines that need them separately. */
export function searchQueries(people, count) {
  return Array.from({ length: count }, (_, number) => {
    const person = people[(number * 7_919) % people.length];
    return kinds[number % kinds.length](person);
  });
}

const kinds = [
  (person) => words(person.sn),
  (person) => words(person.sn.slice(0, 4)),
  (person) => words(person.givenName, person.sn.slice(0, 3)),
  (person) => words(person.sn, person.givenName),
  (person) => words(plain(person.givenName)),
  (person) => words(person.mail.split('.')[1]),
  (person) => words(person.uid),
  (person) => words(person.title.split(' ')[0], person.sn.slice(0, 3)),
  (person) => words(person.departmentNumber.split(' ')[0], person.givenName),
  (person) => phone(person.telephoneNumber),
  (person) => phone(person.telephoneNumber.slice(-4)),
  () => words('example'),
  (person) => words(person.sn.slice(0, 2)),
  () => words('nobodyiscalledso'),
];

function words(...list) {
  return { text: list.join(' '), words: list, digits: '' };
}

function phone(text) {
  return { text, words: [], digits: text.replaceAll(/\D/g, '') };
}

/** The form for comparison: without case and accents. */
export function plain(text) {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}
