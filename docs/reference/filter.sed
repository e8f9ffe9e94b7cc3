# Headers as Doxygen sees them. Comparisons, copies and moves say nothing new: every value type has
# the first, and no owner of a resource can be copied.
/operator(<=>|==)\(const [A-Za-z]+&\) const = default;/s/.*//
/^  (~?[A-Za-z]+\(\)|[A-Za-z]+(& operator=)?\((const )?[A-Za-z]+&&?( other)?\))( noexcept| = delete)?;$/s/.*//
# Members that stand in pairs, one for each side, are documented together.
s/^( *)(.*) (in_[a-z]+|stage_load)( = [^,;]+)?, (out_[a-z]+|stage_store)( = [^;]+)?;( *\/\/\/<.*)?$/\1\2 \3\4;\7\n\1\2 \5\6;  \/\/\/< The same of the output./
