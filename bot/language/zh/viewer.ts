import type { LanguageTexts } from '../en/en.ts';

export const zhViewer: LanguageTexts['viewer'] = {
  title: '改动',
  at: (file, files, { hunk, hunks, part, parts }) =>
    [`文件 ${file}/${files}`, `区块 ${hunk}/${hunks}`, ...(parts > 1 ? [`部分 ${part}/${parts}`] : [])].join(
      ' · ',
    ),
  back: '◀ 区块',
  on: '区块 ▶',
  fileBack: '◀ 文件',
  fileOn: '文件 ▶',
  risky: '下一个 ⚠ 文件',
  picture: '图片',
  sides: { before: '之前', after: '之后' },
  noPicture: '这个文件的前后都不是这里能显示的图片：仅限 PNG、JPEG、GIF 或 WebP，不超过 5 MB。',
  toCard: '回到卡片',
  end: '这个方向没有更多内容了。',
  over: '这些页面之后，改动已经变了。请在最新的卡片上点“改动”，或发送 /diff。',
};
