import { useState, type ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import menu from '../parts/menu.module.css';
import type { Group } from '../web-interface/index.js';
import { groupName } from './display-words.js';
import { NameDialog } from './name-dialog.js';
import type { PeopleStore } from './people-store.js';
import styles from './people.module.css';
import { useAction } from './use-action.js';
import { texts } from '../texts/people.js';

export interface GroupTitleProps {
  readonly store: PeopleStore;
  readonly group: Group;
  readonly size: number;
}

/** Name of a group with its actions; the two standard groups cannot be changed. */
export function GroupTitle({ store, group, size }: GroupTitleProps): ReactNode {
  const [isRenaming, setRenaming] = useState(false);
  const action = useAction();
  return (
    <div className={styles['groupHead']}>
      <h2 className={styles['groupName']}>
        {groupName(group)} <span className="muted">{size}</span>
      </h2>
      {group.rel === 'group' && (
        <MenuTrigger>
          <Button className={styles['small'] ?? ''} aria-label={texts.group(group.name)}>
            ⋯
          </Button>
          <Popover className={menu['menu'] ?? ''} placement="bottom end">
            <Menu aria-label={texts.group(group.name)}>
              <MenuItem className={menu['item'] ?? ''} onAction={() => setRenaming(true)}>
                {texts.rename}
              </MenuItem>
              <MenuItem
                className={menu['item'] ?? ''}
                onAction={() => void action.run(() => store.change((people) => people.deleteGroup(group)))}
              >
                {texts.deleteGroup}
              </MenuItem>
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      <NameDialog
        title={texts.renameGroup(group.name)}
        isOpen={isRenaming}
        onClose={() => setRenaming(false)}
        initial={group.name}
        onSave={(name) => store.change((people) => people.renameGroup(group, name))}
      />
      {action.problem !== undefined && (
        <p className={styles['problem']} role="alert">
          {action.problem}
        </p>
      )}
    </div>
  );
}

export function NewGroup({ store }: { readonly store: PeopleStore }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles['newGroup']}>
      <Button className="button" onPress={() => setOpen(true)}>
        {texts.newGroupDialog}
      </Button>
      <NameDialog
        title={texts.newGroup}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        initial=""
        onSave={(name) => store.change((people) => people.createGroup(name))}
      />
    </div>
  );
}
