import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import menu from '../parts/menu.module.css';
import { texts } from '../texts/search.js';
import { COLUMNS, columnsWhere, type Column } from './columns.js';

interface ColumnMenuProps {
  readonly columns: readonly Column[];
  readonly onChange: (columns: readonly Column[]) => void;
}

/** Selects the shown columns, which this browser remembers. */
export function ColumnMenu({ columns, onChange }: ColumnMenuProps): ReactNode {
  return (
    <MenuTrigger>
      <Button className="button">{texts.columnMenu}</Button>
      <Popover className={menu['menu'] ?? ''} placement="bottom end">
        <Menu
          aria-label={texts.columnMenu}
          selectionMode="multiple"
          selectedKeys={columns}
          onSelectionChange={(keys) => onChange(columnsWhere((column) => keys === 'all' || keys.has(column)))}
        >
          {COLUMNS.map(({ column, title }) => (
            <MenuItem key={column} id={column} className={menu['item'] ?? ''}>
              {({ isSelected }) => `${isSelected ? '✓' : '\u2003'} ${title}`}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
