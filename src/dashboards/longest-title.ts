// How long a title or a name may be that people give to boards, their panels, links, tokens and views, in characters.
export const longest_title = 80;
