import type { ReactNode } from 'react';

export interface Column<Row> {
  key: string;
  title: string;
  /** Column titles that only screen readers read. */
  titleHidden?: boolean;
  /** Whether the cells are numbers, which are compared by their last digits. */
  isNumeric?: boolean;
  render: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A table; on narrow screens each row is a block with the titles beside the values. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table
      aria-label={label}
      className="border-line bg-surface w-full border-separate border-spacing-0 rounded-lg border text-left max-md:block"
    >
      <thead className="text-muted max-md:sr-only">
        <tr>
          {columns.map(({ key, title, titleHidden, isNumeric }) => (
            <th
              key={key}
              scope="col"
              className={`px-3 py-2 text-xs font-medium ${isNumeric ? 'text-right' : ''}`}
            >
              {titleHidden ? <span className="sr-only">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            className="border-line max-md:block max-md:border-t max-md:px-3 max-md:py-2 max-md:first:border-t-0"
          >
            {columns.map(({ key, title, titleHidden, isNumeric, render }) => (
              <td
                key={key}
                // A word without end breaks; the greatest width keeps it from taking that of the other columns.
                className="border-line px-3 py-2 align-middle break-words md:max-w-60 max-md:grid md:border-t max-md:grid-cols-[6.5rem_minmax(0,1fr)] max-md:items-start max-md:gap-2 max-md:px-0 max-md:py-1 max-md:has-[>div:empty]:hidden"
              >
                <span
                  aria-hidden
                  className={`text-muted pt-0.5 text-xs md:hidden ${titleHidden ? 'invisible' : ''}`}
                >
                  {title}
                </span>
                <div className={`min-w-0 ${isNumeric ? 'tabular-nums md:text-right' : ''}`}>
                  {render(row)}
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
