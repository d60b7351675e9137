/** Layout of a cue. */
export interface CaptionLayout {
  /** Columns of a line; wide characters, such as Chinese ones, take two. */
  lineColumns: number;
  maxLines: number;
}

export const DEFAULT_CAPTION_LAYOUT: CaptionLayout = { lineColumns: 42, maxLines: 2 };
