import { useMutation } from '@tanstack/react-query';
import { requestFile } from '../../api/client.ts';
import { Menu, MenuItem, MenuLabel } from '../../components/menu.tsx';
import { ActionErrorNotice } from '../../components/notice.tsx';
import { OUTPUT_TYPES, type OutputType } from '../../jobs/job-options.ts';
import { saveFileAsDownload } from '../../lib/save-file.ts';
import { texts } from '../../texts/index.ts';

/** The transcript in each format, as the service renders it. */
export function DownloadMenu({ jobId, name }: { jobId: string; name: string }) {
  const t = texts.transcript;
  const download = useMutation({
    mutationFn: async (format: OutputType) => {
      const file = await requestFile(`jobs/${encodeURIComponent(jobId)}/transcript?format=${format}`);
      saveFileAsDownload(file, `${name.replace(/\.[A-Za-z0-9]{1,5}$/, '')}.${format}`);
    },
  });
  return (
    <>
      <Menu label={t.download} trigger={t.download}>
        <MenuLabel>{t.downloadNote}</MenuLabel>
        {OUTPUT_TYPES.map((format) => (
          <MenuItem key={format} onSelect={() => download.mutate(format)}>
            {format.toUpperCase()}
          </MenuItem>
        ))}
      </Menu>
      <span role="status" className="sr-only">
        {download.isSuccess ? t.downloaded(download.variables) : ''}
      </span>
      <ActionErrorNotice error={download.error} />
    </>
  );
}
