import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import menu from '../parts/menu.module.css';
import type { Contact } from '../web-interface/index.js';
import { groupName } from './display-words.js';
import type { PeopleStore } from './people-store.js';
import styles from './people.module.css';
import type { Roster, Section } from './roster.js';
import { useAction } from './use-action.js';
import { texts } from '../texts/people.js';

export interface ContactMenuProps {
  readonly store: PeopleStore;
  readonly contact: Contact;
  readonly roster: Roster | undefined;
}

const REMOVE = 'remove from all'; // not shown: a key

/** Adds or removes a contact, and changes its groups. */
export function ContactMenu({ store, contact, roster }: ContactMenuProps): ReactNode {
  const action = useAction();
  if (roster === undefined) return null;
  const holds = ({ people }: Section): boolean => people.some((each) => each.contact.href === contact.href);
  const isContact = roster.sections.some(holds);

  function toggle(section: Section): Promise<void> {
    const membership = section.people.find((each) => each.contact.href === contact.href)?.membership;
    return store.change((people) =>
      membership === undefined ? people.addContact(contact.uri, section.group.id) : people.removeFromGroup(membership),
    );
  }

  return (
    <>
      {isContact ? (
        <MenuTrigger>
          <Button className="button">{texts.groups}</Button>
          <Popover className={menu['menu'] ?? ''} placement="bottom end">
            <Menu
              aria-label={texts.groups}
              onAction={(key) => {
                const section = roster.sections.find(({ group }) => group.id === key);
                if (section !== undefined) void action.run(() => toggle(section));
                if (key === REMOVE) void action.run(() => store.change((people) => people.removeContact(contact.uri)));
              }}
            >
              {roster.sections.map((section) => (
                <MenuItem key={section.group.id} id={section.group.id} className={menu['item'] ?? ''}>
                  {holds(section)
                    ? texts.inGroup(groupName(section.group))
                    : texts.addToGroup(groupName(section.group))}
                </MenuItem>
              ))}
              <MenuItem id={REMOVE} className={`${menu['item']} ${menu['danger']}`}>
                {texts.removeFromContacts}
              </MenuItem>
            </Menu>
          </Popover>
        </MenuTrigger>
      ) : (
        <Button
          className="button"
          isDisabled={action.isBusy}
          onPress={() => void action.run(() => store.change((people) => people.addContact(contact.uri)))}
        >
          {texts.addToContacts}
        </Button>
      )}
      {action.problem !== undefined && (
        <p className={styles['problem']} role="alert">
          {action.problem}
        </p>
      )}
    </>
  );
}
