import { InterfaceError } from '@ringdown/web-server/errors';
import {
  addGroup,
  addToGroup,
  contactGroups,
  groupMembers,
  mergeLists,
  removeContact,
  removeFromGroup,
  removeGroup,
  renameGroup,
  type ContactList,
} from './contact-list.js';

const empty: ContactList = { contacts: [], groups: [] };
const team = addGroup(empty, { id: 't', name: 'Team' });
const ann = 'sip:ann@x.test';

function refusal(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof InterfaceError) return [error.row.status, error.row.subcode];
    throw error;
  }
}

describe('a contact', () => {
  it('is in as many groups as the user likes, and only once in each', () => {
    const list = addToGroup(addToGroup(team, ann, 't'), ann, 'pinned');
    expect(contactGroups(list, ann)).toEqual(['t', 'pinned']);
    expect(groupMembers(list, 'pinned')).toEqual([ann]);
    expect(refusal(() => addToGroup(list, ann, 't'))).toEqual([409, 'AlreadyExists']);
  });

  it('is removed with its last group', () => {
    const list = addToGroup(addToGroup(team, ann, 't'), ann, 'default');
    const less = removeFromGroup(list, ann, 't');
    expect(contactGroups(less, ann)).toEqual(['default']);
    expect(removeFromGroup(less, ann, 'default').contacts).toEqual([]);
    expect(removeContact(list, ann).contacts).toEqual([]);
    expect(refusal(() => removeFromGroup(less, ann, 't'))).toEqual([404, undefined]);
    expect(removeContact(team, ann)).toBe(team);
  });

  it('stays when its group is deleted', () => {
    const both = addToGroup(addToGroup(team, ann, 't'), 'sip:bea@x.test', 't');
    const list = removeGroup(addToGroup(both, ann, 'pinned'), 't');
    expect(list.groups).toEqual([]);
    expect(list.contacts).toEqual([
      { uri: ann, groups: ['pinned'] },
      { uri: 'sip:bea@x.test', groups: ['default'] },
    ]);
  });

  it('is rejected when the list is full', () => {
    let list = empty;
    for (let n = 0; n < 250; n++) list = addToGroup(list, `sip:${n}@x.test`, 'default');
    expect(refusal(() => addToGroup(list, ann, 'default'))).toEqual([409, 'LimitExceeded']);
    expect(addToGroup(list, 'sip:0@x.test', 'pinned').contacts).toHaveLength(250);
  });
});

describe('a group', () => {
  it('needs a unique name, ignoring case', () => {
    const two = addGroup(team, { id: 'u', name: 'Others' });
    expect(refusal(() => addGroup(two, { id: 'v', name: 'TEAM' }))).toEqual([409, 'AlreadyExists']);
    expect(refusal(() => renameGroup(two, { id: 'u', name: 'team' }))).toEqual([409, 'AlreadyExists']);
    expect(renameGroup(two, { id: 't', name: 'TEAM' }).groups[0]).toEqual({ id: 't', name: 'TEAM' });
  });

  it('is rejected when the user has 64 already', () => {
    let list = empty;
    for (let n = 0; n < 64; n++) list = addGroup(list, { id: `g${n}`, name: `Group ${n}` });
    expect(refusal(() => addGroup(list, { id: 'g', name: 'Group' }))).toEqual([409, 'TooManyGroups']);
  });

  it.each(['pinned', 'default'])('that everyone has cannot be deleted: %s', (id) => {
    expect(refusal(() => removeGroup(team, id))).toEqual([403, 'OperationNotSupported']);
  });

  it('is not found when it does not exist', () => {
    expect(refusal(() => addToGroup(team, ann, 'nothing'))).toEqual([404, undefined]);
    expect(refusal(() => groupMembers(team, 'nothing'))).toEqual([404, undefined]);
    expect(refusal(() => removeGroup(team, 'nothing'))).toEqual([404, undefined]);
  });
});

describe('two lists of one person', () => {
  it('are merged: each contact once, in all groups, and groups with one name are one group', () => {
    const bea = 'sip:bea@x.test';
    const other = addGroup(addGroup(empty, { id: 'x', name: 'TEAM' }), { id: 'y', name: 'Family' });
    const merged = mergeLists(
      addToGroup(team, ann, 't'),
      addToGroup(addToGroup(addToGroup(other, ann, 'y'), bea, 'x'), bea, 'default'),
    );
    expect(merged).toEqual({
      contacts: [
        { uri: ann, groups: ['t', 'y'] },
        { uri: bea, groups: ['t', 'default'] },
      ],
      groups: [
        { id: 't', name: 'Team' },
        { id: 'y', name: 'Family' },
      ],
    });
    expect(mergeLists(merged, other)).toEqual(merged);
  });
});
