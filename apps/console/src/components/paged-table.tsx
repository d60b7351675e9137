import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { MoreRows } from './more-rows.tsx';
import { LoadErrorNotice } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';
import { type Column, Table } from './table.tsx';

interface PagedTableProps<Row> {
  label: string;
  query: Pick<
    UseInfiniteQueryResult<unknown>,
    | 'error'
    | 'isError'
    | 'refetch'
    | 'isFetchNextPageError'
    | 'hasNextPage'
    | 'isFetchingNextPage'
    | 'fetchNextPage'
  >;
  /** Undefined until the first page is there. */
  rows: readonly Row[] | undefined;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** Shown without rows. */
  empty: string;
  /** Title of the button that loads the next page. */
  more: string;
}

/** The rows of all pages that were loaded, and what an unfinished or failed request needs. */
export function PagedTable<Row>({ label, query, rows, columns, keyOf, empty, more }: PagedTableProps<Row>) {
  if (query.isError && !rows)
    return <LoadErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!rows) return <Skeleton rows={8} />;
  if (rows.length === 0) return <p className="text-muted">{empty}</p>;
  return (
    <>
      <Table label={label} columns={columns} rows={rows} keyOf={keyOf} />
      {query.isFetchNextPageError && (
        <LoadErrorNotice error={query.error} onRetry={() => void query.fetchNextPage()} />
      )}
      <MoreRows
        title={more}
        count={rows.length}
        isShown={query.hasNextPage && !query.isFetchNextPageError}
        busy={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
      />
    </>
  );
}
