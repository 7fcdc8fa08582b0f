# fragproof_embed(OUTPUT.cpp FUNCTION FILE...): the texts as one C++ source that defines FUNCTION().
function(fragproof_embed)
endfunction()
